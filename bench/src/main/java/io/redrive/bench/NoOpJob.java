package io.redrive.bench;

import java.util.concurrent.CountDownLatch;

/** The job that JobRunr runs. It is called by its name from stored text, so it has to be public and static. */
public final class NoOpJob {

    private static volatile CountDownLatch jobs;

    private NoOpJob() {}

    static void countDown(CountDownLatch latch) {
        jobs = latch;
    }

    /** Does nothing but count. */
    public static void run(String payload) {
        jobs.countDown();
    }
}

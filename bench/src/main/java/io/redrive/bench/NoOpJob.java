package io.redrive.bench;

import java.util.concurrent.CountDownLatch;

/** The job for JobRunr; public and static, because JobRunr calls the job by the name in stored text. */
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

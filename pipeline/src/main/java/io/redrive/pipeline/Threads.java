package io.redrive.pipeline;

import java.util.concurrent.CountDownLatch;

/** Threads of a pipeline. Only the {@linkplain #lifeline lifeline} keeps the JVM running, until the stop. */
final class Threads {

    private Threads() {}

    /** Returns a thread that does not keep the JVM running: a call that hangs after a stop is abandoned. */
    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns a thread that keeps the JVM running until the stop. */
    static Thread lifeline(CountDownLatch stopped) {
        Thread thread = new Thread(
                () -> {
                    while (stopped.getCount() > 0) {
                        try {
                            stopped.await();
                        } catch (InterruptedException e) {
                            // Only the stop ends this thread.
                        }
                    }
                },
                "redrive-lifeline");
        thread.setDaemon(false);
        return thread;
    }
}

package io.redrive.pipeline;

import java.util.concurrent.CountDownLatch;

/** Threads of a pipeline. Only the {@linkplain #lifeline lifeline} keeps the JVM running, and it ends with the stop. */
final class Threads {

    private Threads() {}

    /** A thread that does not keep the JVM running: what hangs in it after a stop is given up. */
    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Keeps the JVM running while a pipeline runs, whatever hangs in the other threads afterwards. */
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

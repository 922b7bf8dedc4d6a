package io.redrive.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ctrl-C while it is open: asks the work to stop, and holds up the JVM until it has, or until its time is up. */
final class StopHook implements AutoCloseable {

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    StopHook(Runnable stop, Duration limit) {
        thread = new Thread(() -> {
            stop.run();
            try {
                ended.await(limit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(thread);
    }

    /** The work is over. */
    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The JVM is on its way down already: the hook did its work and cannot be removed any more.
            assert !thread.isInterrupted();
        }
    }
}

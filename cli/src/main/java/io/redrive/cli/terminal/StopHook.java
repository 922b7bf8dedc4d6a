package io.redrive.cli.terminal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles Ctrl-C until closed: asks the work to stop, then keeps the JVM running until the hook is closed or the limit has
 * passed.
 */
public final class StopHook implements AutoCloseable {

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    /**
     * Registers the hook.
     *
     * @param stop asks the work to stop
     * @param limit how long Ctrl-C waits for the work to end
     */
    public StopHook(Runnable stop, Duration limit) {
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

    /** Reports that the work has ended, and removes the hook. */
    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The JVM is shutting down: the hook has run and cannot be removed.
            assert !thread.isInterrupted();
        }
    }
}

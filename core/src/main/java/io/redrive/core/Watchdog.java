package io.redrive.core;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Interrupts the thread that made it once its time is up. {@link #stop} takes an interrupt that came too late back, so
 * that it never reaches the next attempt.
 */
final class Watchdog implements Runnable {

    private static final int WATCHING = 0;
    private static final int INTERRUPTING = 1;
    private static final int INTERRUPTED = 2;
    private static final int STOPPED = 3;

    private final Thread worker = Thread.currentThread();
    private final AtomicInteger state = new AtomicInteger(WATCHING);

    @Override
    public void run() {
        if (state.compareAndSet(WATCHING, INTERRUPTING)) {
            worker.interrupt();
            state.set(INTERRUPTED);
        }
    }

    /** Ends the watch, on the watched thread; true when the time was up before. */
    boolean stop() {
        if (state.compareAndSet(WATCHING, STOPPED)) {
            return false;
        }
        while (state.get() != INTERRUPTED) {
            Thread.onSpinWait();
        }
        Thread.interrupted();
        return true;
    }
}

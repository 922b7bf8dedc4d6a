package io.redrive.core;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes a thread that has run out of work, such as the coordinator of a pipeline or of a run. A signal raised while
 * the thread works is not lost: the next {@link #await} returns at once. Any thread may raise the signal; only one
 * thread clears it and waits.
 *
 * <pre>{@code
 * while (running) {
 *     signal.clear();                  // first, so that work added during the step is seen by the next one
 *     if (!step()) {
 *         signal.await(untilNextStep());
 *     }
 * }
 * }</pre>
 *
 * <p>Waking a thread after each of many quick calls would cost more than the calls. {@link #raiseSoon} is for news
 * that can wait half a millisecond: calls within that time wake the thread together.
 */
public final class Signal {

    /** How long {@link #raiseSoon} lets more calls gather. */
    private static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** Longer waits end early, because their nanoseconds might not fit a long. */
    private static final long LONGEST_WAIT_SECONDS = TimeUnit.HOURS.toSeconds(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean raised;
    private volatile boolean raisedSoon;

    /** Creates a signal in the state not raised. */
    public Signal() {}

    /** Ends the wait of the waiting thread, or its next wait, at once. */
    public void raise() {
        if (raised) {
            return;
        }
        lock.lock();
        try {
            raised = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait of the waiting thread, or its next wait, within half a millisecond. */
    public void raiseSoon() {
        if (raised || raisedSoon) {
            return;
        }
        lock.lock();
        try {
            raisedSoon = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes a raised signal back. Call this before looking for work: work added later raises the signal again. */
    public void clear() {
        raised = false;
        raisedSoon = false;
    }

    /**
     * Waits until the signal is raised, for {@code atMost} or an hour, whichever is shorter. A wait of zero or less only looks.
     *
     * @return true when the signal is raised, false when the time was over first
     * @throws InterruptedException if the thread is interrupted during the wait
     */
    public boolean await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos(atMost);
            while (!raised && !raisedSoon && left > 0) {
                left = changed.awaitNanos(left);
            }
            left = Math.min(left, SOON_NANOS);
            while (!raised && left > 0) {
                left = changed.awaitNanos(left);
            }
            return raised || raisedSoon;
        } finally {
            lock.unlock();
        }
    }

    private static long nanos(Duration wait) {
        if (wait.isNegative()) {
            return 0;
        }
        return wait.getSeconds() < LONGEST_WAIT_SECONDS
                ? wait.toNanos()
                : TimeUnit.SECONDS.toNanos(LONGEST_WAIT_SECONDS);
    }
}

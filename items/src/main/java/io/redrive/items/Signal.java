package io.redrive.items;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes the coordinator. A signal raised while it works is not lost: the next wait returns at once.
 *
 * <p>To wake it after each call of a quick stage would cost more than the call. So a call that others will follow without
 * the coordinator's help says {@link #raiseSoon}, and is heard together with those.
 */
final class Signal {

    /** How long something may go unheard so that more can gather. */
    private static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private static final long LONGEST_WAIT_SECONDS = TimeUnit.HOURS.toSeconds(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raisedNow = lock.newCondition();
    private volatile boolean raised;
    private volatile boolean raisedSoon;

    void raise() {
        if (raised) {
            return;
        }
        lock.lock();
        try {
            raised = true;
            raisedNow.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** There is something to look at, within half a millisecond. */
    void raiseSoon() {
        if (raised || raisedSoon) {
            return;
        }
        lock.lock();
        try {
            raisedSoon = true;
            raisedNow.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a raised signal; call before looking at what it announces. */
    void clear() {
        raised = false;
        raisedSoon = false;
    }

    /** Returns when the signal is raised or the time is over. */
    void await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.getSeconds() > LONGEST_WAIT_SECONDS
                    ? TimeUnit.SECONDS.toNanos(LONGEST_WAIT_SECONDS)
                    : Math.max(0, atMost.toNanos());
            while (!raised && !raisedSoon && left > 0) {
                left = raisedNow.awaitNanos(left);
            }
            left = Math.min(left, SOON_NANOS);
            while (!raised && left > 0) {
                left = raisedNow.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}

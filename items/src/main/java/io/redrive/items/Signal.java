package io.redrive.items;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes the coordinator. A signal raised while it works is not lost: the next wait returns at once. */
final class Signal {

    private static final long LONGEST_WAIT_SECONDS = TimeUnit.HOURS.toSeconds(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raisedNow = lock.newCondition();
    private volatile boolean raised;

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

    /** Forgets a raised signal; call before looking at what it announces. */
    void clear() {
        raised = false;
    }

    /** Returns when the signal is raised or the time is over. */
    void await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.getSeconds() > LONGEST_WAIT_SECONDS
                    ? TimeUnit.SECONDS.toNanos(LONGEST_WAIT_SECONDS)
                    : Math.max(0, atMost.toNanos());
            while (!raised && left > 0) {
                left = raisedNow.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}

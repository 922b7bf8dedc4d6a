package io.redrive.pipeline;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes the coordinator. A signal raised while it works is not lost: the next wait returns at once. */
final class Signal {

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
            raisedNow.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a raised signal; call before looking at what it announces. */
    void clear() {
        raised = false;
    }

    /** True when the signal was raised, false when the time was over first. */
    boolean await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = Math.max(0, atMost.toNanos());
            while (!raised && left > 0) {
                left = raisedNow.awaitNanos(left);
            }
            return raised;
        } finally {
            lock.unlock();
        }
    }

    /** The nanoseconds of a wait are never more than an hour: a poll comes long before. */
    static Duration bounded(Duration wait) {
        long most = TimeUnit.HOURS.toSeconds(1);
        return wait.getSeconds() > most ? Duration.ofSeconds(most) : wait;
    }
}

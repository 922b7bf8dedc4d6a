package io.redrive.core;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock of every part of Redrive: {@link #system()} in production, {@link ManualTime} in tests, where five hours
 * of retries pass in a millisecond.
 */
public interface Time {

    /** Wall-clock time; may jump. */
    Instant now();

    /** Monotonic nanoseconds from an arbitrary origin, for measuring elapsed time. */
    long nanos();

    /**
     * Waits on the calling thread.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait, also for a wait of zero
     */
    void sleep(Duration duration) throws InterruptedException;

    /** Runs {@code task} once after {@code delay}, on a thread that must not be blocked. */
    Scheduled schedule(Duration delay, Runnable task);

    /** A scheduled task. */
    interface Scheduled {
        /** Cancels the task; does nothing once the task has run. */
        void cancel();
    }

    /** Returns the machine's clock, with one daemon thread for scheduled tasks. */
    static Time system() {
        return SystemTime.INSTANCE;
    }
}

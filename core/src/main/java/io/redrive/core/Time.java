package io.redrive.core;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock, as everything in Redrive sees it. {@link #system()} in production, {@link ManualTime} in tests, where five
 * hours of retries pass in a millisecond.
 */
public interface Time {

    /** Wall-clock time; may jump. */
    Instant now();

    /** Monotonic nanoseconds from an arbitrary origin, for measuring elapsed time. */
    long nanos();

    /** Waits on the calling thread; throws when it is or gets interrupted, also for a wait of zero. */
    void sleep(Duration duration) throws InterruptedException;

    /** Runs {@code task} once after {@code delay}, on a thread that must not be blocked. */
    Scheduled schedule(Duration delay, Runnable task);

    /** Something scheduled that can be called off. */
    interface Scheduled {
        /** Calls it off; does nothing when it already ran. */
        void cancel();
    }

    /** The machine's clock, with one daemon thread for scheduled tasks. */
    static Time system() {
        return SystemTime.INSTANCE;
    }
}

package io.redrive.core;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts, for the whole process, how often a {@link Retry} exhausted its attempts, time or budget. The count is cheap
 * to read before each attempt and to compare afterwards. For code that runs attempts without a {@code Retry} and must
 * not retry a failure that an inner {@code Retry} has exhausted:
 *
 * <pre>{@code
 * long moment = Exhaustions.moment();
 * try {
 *     work.run();
 * } catch (Exception e) {
 *     Decision next = policy.decide(Attempt.first(Exhaustions.failure(e, moment), random));
 * }
 * }</pre>
 *
 * <p>Not part of {@link RetryTrace}, because the JIT compiler inlines no method of an exception class and every call
 * reads this count.
 */
public final class Exhaustions {

    private static final AtomicLong COUNT = new AtomicLong();

    private Exhaustions() {}

    /** Returns the count before an attempt, for {@link #failure}. */
    public static long moment() {
        return COUNT.get();
    }

    /**
     * Returns the failure of an attempt that began at {@code moment}, marked as exhausted when an inner retry
     * exhausted it since.
     */
    public static Failure failure(Throwable error, long moment) {
        ThrownReading reading = ThrownReading.of(error);
        return new Failure.Thrown(error, reading, anySince(moment) && RetryTrace.markedSince(moment, reading.chain()));
    }

    /** Increments the count and returns the new value. */
    static long next() {
        return COUNT.incrementAndGet();
    }

    /** Returns true when a retry was exhausted after {@code moment}. */
    private static boolean anySince(long moment) {
        return COUNT.get() != moment;
    }
}

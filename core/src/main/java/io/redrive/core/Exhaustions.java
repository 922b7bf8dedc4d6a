package io.redrive.core;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts how often a {@link Retry} ran out, in the whole process: a moment that is cheap to note before each attempt and
 * to compare after it. For whoever runs attempts in a way of its own and must not retry what an inner retry gave up:
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
 * <p>Apart from {@link RetryTrace} because the JIT compiler inlines no method of an exception class, and this is asked on
 * every call.
 */
public final class Exhaustions {

    private static final AtomicLong COUNT = new AtomicLong();

    private Exhaustions() {}

    /** The moment to compare with: what is exhausted from now on counts as later. */
    public static long moment() {
        return COUNT.get();
    }

    /** What an attempt that began at {@code moment} threw; it knows whether an inner retry ran out with it. */
    public static Failure failure(Throwable error, long moment) {
        return new Failure.Thrown(error, anySince(moment) && RetryTrace.markedSince(moment, error));
    }

    /** Notes another one; the moment it made. */
    static long next() {
        return COUNT.incrementAndGet();
    }

    /** True when there was one after {@code moment}. */
    private static boolean anySince(long moment) {
        return COUNT.get() != moment;
    }
}

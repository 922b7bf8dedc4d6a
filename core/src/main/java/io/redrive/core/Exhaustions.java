package io.redrive.core;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts how often a {@link Retry} ran out, in the whole process: a moment that is cheap to note before each attempt and
 * to compare after it. Apart from {@link RetryTrace} because the JIT compiler inlines no method of an exception class, and
 * this is asked on every call.
 */
final class Exhaustions {

    private static final AtomicLong COUNT = new AtomicLong();

    private Exhaustions() {}

    /** The moment to compare with: what is exhausted from now on counts as later. */
    static long moment() {
        return COUNT.get();
    }

    /** Notes another one; the moment it made. */
    static long next() {
        return COUNT.incrementAndGet();
    }

    /** True when there was one after {@code moment}. */
    static boolean anySince(long moment) {
        return COUNT.get() != moment;
    }
}

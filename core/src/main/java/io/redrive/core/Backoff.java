package io.redrive.core;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/**
 * How long to wait after the k-th failed attempt, before jitter. Immutable; never negative; never overflows.
 *
 * <pre>{@code
 * Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10), 2.0) // 100ms, 200ms, 400ms … 10s
 * }</pre>
 */
public interface Backoff {

    /** The longest delay that Redrive computes: more than any schedule needs, and its nanoseconds fit a long. */
    Duration LONGEST = DurationText.LONGEST;

    /** Returns the delay after failed attempt {@code attempt}, counted from 1. */
    Duration delay(int attempt);

    /** Returns the cap on {@link #delay}, by default {@link #LONGEST}. */
    default Duration max() {
        return LONGEST;
    }

    /** Retry at once. */
    static Backoff none() {
        return new FixedBackoff(Duration.ZERO);
    }

    /** Returns a backoff with the same delay after every attempt. */
    static Backoff fixed(Duration delay) {
        return new FixedBackoff(delay);
    }

    /** {@code min(initial + (k-1) * increment, max)}. */
    static Backoff linear(Duration initial, Duration increment, Duration max) {
        return new LinearBackoff(initial, increment, max);
    }

    /** {@code min(initial * multiplier^(k-1), max)}; the multiplier may be fractional. */
    static Backoff exponential(Duration initial, Duration max, double multiplier) {
        return new ExponentialBackoff(initial, max, multiplier);
    }

    /** Returns an {@link #exponential(Duration, Duration, double)} backoff that doubles. */
    static Backoff exponential(Duration initial, Duration max) {
        return new ExponentialBackoff(initial, max, 2.0);
    }

    /** Returns a backoff of these delays in turn; the last delay repeats. */
    static Backoff delays(Duration... delays) {
        return new DelaysBackoff(List.of(delays));
    }

    /** Any function of the failed attempt's number; a negative answer counts as zero. */
    static Backoff custom(IntFunction<Duration> delays) {
        return new CustomBackoff(delays);
    }

    /** Returns the nanoseconds of a duration, at most {@link Long#MAX_VALUE}. */
    static long nanosOf(Duration duration) {
        return DurationText.atMostLongest(duration).toNanos();
    }
}

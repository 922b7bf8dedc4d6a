package io.redrive.items;

import java.time.Duration;

/**
 * The maximum rate of calls of a stage, evenly spaced. A batch is one call. Immutable.
 *
 * <pre>{@code
 * Stage.map("embed", (String text) -> api.embed(text)).rateLimit(RateLimit.perSecond(20));
 * }</pre>
 *
 * @param calls the maximum number of calls per period, above 0 and at most 1,000,000; may be a fraction
 * @param per the period, at most one day
 */
public record RateLimit(double calls, Duration per) {

    /** Refuses numbers and periods out of range. */
    public RateLimit {
        if (!(calls > 0 && calls <= 1_000_000)) {
            throw new IllegalArgumentException("rate limit must be above 0 and at most 1,000,000 calls, got " + calls);
        }
        if (per.isNegative() || per.isZero() || per.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("rate limit must be per 1ns to 1d, got per " + per);
        }
    }

    /** Returns a limit of {@code calls} per second; 0.5 allows a call every two seconds. */
    public static RateLimit perSecond(double calls) {
        return new RateLimit(calls, Duration.ofSeconds(1));
    }

    /** Returns a limit of {@code calls} per minute. */
    public static RateLimit perMinute(double calls) {
        return new RateLimit(calls, Duration.ofMinutes(1));
    }

    /** Returns the time between two calls. */
    public Duration spacing() {
        return Duration.ofNanos(Math.max(1, (long) (per.toNanos() / calls)));
    }
}

package io.redrive.items;

import java.time.Duration;

/**
 * How often a stage may be called: so many times in so long, evenly spaced. A batch is one call. Immutable.
 *
 * <pre>{@code
 * Stage.map("embed", (String text) -> api.embed(text)).rateLimit(RateLimit.perSecond(20));
 * }</pre>
 *
 * @param calls at most so many
 * @param per in this time
 */
public record RateLimit(double calls, Duration per) {

    /** Refuses what allows no call, or no spacing. */
    public RateLimit {
        if (!(calls > 0 && calls <= 1_000_000)) {
            throw new IllegalArgumentException("rate limit must be above 0 and at most 1,000,000 calls, got " + calls);
        }
        if (per.isNegative() || per.isZero() || per.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("rate limit must be per 1ns to 1d, got per " + per);
        }
    }

    /** So many calls a second; may be a fraction. */
    public static RateLimit perSecond(double calls) {
        return new RateLimit(calls, Duration.ofSeconds(1));
    }

    /** So many calls a minute. */
    public static RateLimit perMinute(double calls) {
        return new RateLimit(calls, Duration.ofMinutes(1));
    }

    /** Returns the time between two calls. */
    public Duration spacing() {
        return Duration.ofNanos(Math.max(1, (long) (per.toNanos() / calls)));
    }
}

package io.redrive.core;

import java.time.Duration;
import java.util.Optional;

/**
 * An open circuit breaker refused the call. {@link #retryAfter} is the time until the breaker lets trial calls
 * through.
 */
public class CircuitOpenException extends RuntimeException implements HasRetryAfter {

    private static final long serialVersionUID = 1L;

    private final Duration remaining;

    /** Of the breaker {@code name}, which tries again in {@code remaining}. */
    public CircuitOpenException(String name, Duration remaining) {
        super("circuit breaker '" + name + "' is open"
                + (remaining.isZero() ? "" : "; next trial in " + DurationText.format(remaining)));
        this.remaining = remaining;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.of(remaining);
    }
}

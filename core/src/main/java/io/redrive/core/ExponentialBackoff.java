package io.redrive.core;

import java.time.Duration;

record ExponentialBackoff(Duration initial, Duration max, double multiplier) implements Backoff {

    /** The backoff of a policy that sets none. */
    static final ExponentialBackoff USUAL = new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(10), 2.0);

    ExponentialBackoff {
        DurationText.requireNotNegative("exponential backoff initial", initial);
        DurationText.requireAtLeast("exponential backoff max", max, initial);
        initial = DurationText.atMostLongest(initial);
        max = DurationText.atMostLongest(max);
        if (!(multiplier >= 1.0) || Double.isInfinite(multiplier)) {
            throw new IllegalArgumentException(
                    "exponential backoff multiplier must be a finite number of at least 1, got " + multiplier);
        }
    }

    @Override
    public Duration delay(int attempt) {
        if (initial.isZero()) {
            return Duration.ZERO;
        }
        // The power may reach infinity, which is still not below the cap.
        double nanos = Backoff.nanosOf(initial) * Math.pow(multiplier, attempt - 1.0);
        return nanos >= Backoff.nanosOf(max) ? max : Duration.ofNanos(Math.round(nanos));
    }

    @Override
    public String toString() {
        return "exponential " + DurationText.format(initial) + " ×" + DurationText.number(multiplier) + ", max "
                + DurationText.format(max);
    }
}

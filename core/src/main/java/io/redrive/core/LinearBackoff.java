package io.redrive.core;

import java.time.Duration;

record LinearBackoff(Duration initial, Duration increment, Duration max) implements Backoff {

    LinearBackoff {
        DurationText.requireNotNegative("linear backoff initial", initial);
        DurationText.requireNotNegative("linear backoff increment", increment);
        DurationText.requireAtLeast("linear backoff max", max, initial);
        initial = DurationText.atMostLongest(initial);
        max = DurationText.atMostLongest(max);
    }

    @Override
    public Duration delay(int attempt) {
        // In doubles the sum cannot overflow; below the cap the sum is exact to the nanosecond.
        double nanos = Backoff.nanosOf(initial) + (attempt - 1.0) * Backoff.nanosOf(increment);
        return nanos >= Backoff.nanosOf(max) ? max : Duration.ofNanos(Math.round(nanos));
    }

    @Override
    public String toString() {
        return "linear " + DurationText.format(initial) + " +" + DurationText.format(increment) + ", max "
                + DurationText.format(max);
    }
}

package io.redrive.core;

import java.time.Duration;
import java.util.Objects;
import java.util.function.IntFunction;

record CustomBackoff(IntFunction<Duration> delays) implements Backoff {

    CustomBackoff {
        Objects.requireNonNull(delays, "delays");
    }

    @Override
    public Duration delay(int attempt) {
        Duration delay = delays.apply(attempt);
        if (delay == null) {
            throw new IllegalStateException("custom backoff must return a duration, got null for attempt " + attempt);
        }
        return delay.isNegative() ? Duration.ZERO : DurationText.atMostLongest(delay);
    }

    @Override
    public String toString() {
        return "custom backoff";
    }
}

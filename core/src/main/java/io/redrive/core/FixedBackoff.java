package io.redrive.core;

import java.time.Duration;

record FixedBackoff(Duration delay) implements Backoff {

    FixedBackoff {
        delay = DurationText.atMostLongest(DurationText.requireNotNegative("backoff delay", delay));
    }

    @Override
    public Duration delay(int attempt) {
        return delay;
    }

    @Override
    public Duration max() {
        return delay;
    }

    @Override
    public String toString() {
        return delay.isZero() ? "no backoff" : "fixed " + DurationText.format(delay);
    }
}

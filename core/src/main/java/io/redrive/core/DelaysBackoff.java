package io.redrive.core;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

record DelaysBackoff(List<Duration> delays) implements Backoff {

    DelaysBackoff {
        if (delays.isEmpty()) {
            throw new IllegalArgumentException("delays must name at least one duration, got none");
        }
        delays = delays.stream()
                .map(delay -> DurationText.atMostLongest(DurationText.requireNotNegative("delays", delay)))
                .toList();
    }

    @Override
    public Duration delay(int attempt) {
        return delays.get(Math.min(attempt, delays.size()) - 1);
    }

    @Override
    public Duration max() {
        return Collections.max(delays);
    }

    @Override
    public String toString() {
        return "delays " + delays.stream().map(DurationText::format).collect(Collectors.joining(", "));
    }
}

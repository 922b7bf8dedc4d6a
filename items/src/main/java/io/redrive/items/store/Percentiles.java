package io.redrive.items.store;

import java.time.Duration;
import java.util.List;

/**
 * Durations of attempts: 50 % took at most {@code p50}, 95 % at most {@code p95}, 99 % at most {@code p99}. Each percentile is
 * the duration of an actual attempt, without interpolation.
 */
public record Percentiles(Duration p50, Duration p95, Duration p99) {

    /** The percentiles of no attempts: all zero. */
    public static final Percentiles NONE = new Percentiles(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** Returns the percentiles of these durations. */
    static Percentiles of(List<Duration> times) {
        List<Duration> sorted = times.stream().sorted().toList();
        return sorted.isEmpty() ? NONE : new Percentiles(at(sorted, 50), at(sorted, 95), at(sorted, 99));
    }

    /** Returns the shortest duration that at least {@code percent} of all durations do not exceed. */
    private static Duration at(List<Duration> sorted, int percent) {
        int place = (sorted.size() * percent + 99) / 100;
        return sorted.get(place - 1);
    }
}

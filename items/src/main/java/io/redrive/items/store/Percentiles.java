package io.redrive.items.store;

import java.time.Duration;
import java.util.List;

/**
 * How long attempts took: of half of them no longer than {@code p50}, of 95 % no longer than {@code p95}, of 99 % no longer
 * than {@code p99}. Each is the time of an attempt, none is interpolated.
 */
public record Percentiles(Duration p50, Duration p95, Duration p99) {

    /** Of no attempts. */
    public static final Percentiles NONE = new Percentiles(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** Of attempts that took so long. */
    static Percentiles of(List<Duration> times) {
        List<Duration> sorted = times.stream().sorted().toList();
        return sorted.isEmpty() ? NONE : new Percentiles(at(sorted, 50), at(sorted, 95), at(sorted, 99));
    }

    /** The first that is not shorter than {@code percent} of all. */
    private static Duration at(List<Duration> sorted, int percent) {
        int place = (sorted.size() * percent + 99) / 100;
        return sorted.get(place - 1);
    }
}

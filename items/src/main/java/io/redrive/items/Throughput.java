package io.redrive.items;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How many samples reached their end within an interval, by the audit trail. A sample that died and was brought back is
 * counted once for each end.
 *
 * @param from when the interval began
 * @param succeeded through the last stage
 * @param skipped a stage let them go no further
 * @param dead given up on
 */
public record Throughput(Instant from, long succeeded, long skipped, long dead) {

    /** A report has no more intervals than this. */
    private static final int MOST = 60;

    private static final List<Duration> INTERVALS = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            Duration.ofHours(3),
            Duration.ofHours(6),
            Duration.ofDays(1),
            Duration.ofDays(7));

    /** All samples that reached their end. */
    public long ended() {
        return succeeded + skipped + dead;
    }

    /** Returns the shortest usual interval of which at most 60 cover {@code span}. */
    static Duration intervalFor(Duration span) {
        return INTERVALS.stream()
                .filter(interval -> interval.multipliedBy(MOST).compareTo(span) >= 0)
                .findFirst()
                .orElse(Duration.ofDays(span.toDays() / MOST + 1));
    }

    /** The beginning of the interval in which {@code moment} lies; intervals begin at whole multiples since 1970. */
    static Instant intervalOf(Instant moment, Duration interval) {
        long millis = interval.toMillis();
        return Instant.ofEpochMilli(Math.floorDiv(moment.toEpochMilli(), millis) * millis);
    }
}

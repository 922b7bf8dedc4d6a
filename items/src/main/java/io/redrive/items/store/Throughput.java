package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;

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

    /** All samples that reached their end. */
    public long ended() {
        return succeeded + skipped + dead;
    }

    /** The beginning of the interval in which {@code moment} lies; intervals begin at whole multiples since 1970. */
    static Instant intervalOf(Instant moment, Duration interval) {
        long millis = interval.toMillis();
        return Instant.ofEpochMilli(Math.floorDiv(moment.toEpochMilli(), millis) * millis);
    }
}

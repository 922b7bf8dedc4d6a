package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;

/**
 * Counts the samples that ended within an interval, from the audit trail. A sample that was reprocessed counts once for each
 * end.
 *
 * @param from the start of the interval
 * @param succeeded samples that passed the last stage
 * @param skipped samples that a stage skipped
 * @param dead samples that died
 */
public record Throughput(Instant from, long succeeded, long skipped, long dead) {

    /** Returns the number of all samples that ended. */
    public long ended() {
        return succeeded + skipped + dead;
    }

    /** Returns the start of the interval that contains {@code moment}; intervals start at multiples of the length since 1970. */
    static Instant intervalOf(Instant moment, Duration interval) {
        long millis = interval.toMillis();
        return Instant.ofEpochMilli(Math.floorDiv(moment.toEpochMilli(), millis) * millis);
    }
}

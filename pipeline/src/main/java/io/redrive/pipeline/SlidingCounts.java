package io.redrive.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * Counts over a sliding window, in a ring of buckets: memory does not grow with the counts. Counts older than the
 * window drop out bucket by bucket. When the clock is set back, counts from the future are left out until their buckets
 * are reused. Thread-safe.
 */
final class SlidingCounts<K extends Enum<K>> {

    static final int BUCKETS = 30;

    private final long bucketMillis;
    private final long[][] counts;
    private final long[] numbers = new long[BUCKETS];

    SlidingCounts(Class<K> kinds, Duration window) {
        bucketMillis = Math.max(1, window.toMillis() / BUCKETS);
        counts = new long[BUCKETS][kinds.getEnumConstants().length];
        Arrays.fill(numbers, Long.MIN_VALUE);
    }

    synchronized void add(K kind, long count, Instant at) {
        long number = numberOf(at);
        int slot = (int) Math.floorMod(number, (long) BUCKETS);
        if (numbers[slot] != number) {
            Arrays.fill(counts[slot], 0);
            numbers[slot] = number;
        }
        counts[slot][kind.ordinal()] += count;
    }

    /** Returns the count of {@code kind} in the window that ends at {@code now}. */
    synchronized long sum(K kind, Instant now) {
        long newest = numberOf(now);
        long sum = 0;
        for (int slot = 0; slot < BUCKETS; slot++) {
            if (numbers[slot] <= newest && numbers[slot] > newest - BUCKETS) {
                sum += counts[slot][kind.ordinal()];
            }
        }
        return sum;
    }

    private long numberOf(Instant at) {
        return Math.floorDiv(at.toEpochMilli(), bucketMillis);
    }
}

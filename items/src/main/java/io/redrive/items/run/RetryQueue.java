package io.redrive.items.run;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Samples of this process that wait for their next attempt, the earliest due first; at one time, in the order of the source.
 * A waiting sample holds no worker. Used by the coordinator only.
 */
final class RetryQueue {

    private final PriorityQueue<Sample> waiting =
            new PriorityQueue<>(Comparator.comparing(Sample::due).thenComparingLong(Sample::ordinal));

    private long bytes;

    void add(Sample sample) {
        waiting.add(sample);
        bytes += sample.payload().length;
    }

    /** Removes the next sample that is due; null when none is. */
    @Nullable
    Sample poll(Instant now) {
        Sample next = waiting.peek();
        if (next == null || !next.isDue(now)) {
            return null;
        }
        bytes -= next.payload().length;
        return waiting.poll();
    }

    /** When the next sample is due; null when none waits. */
    @Nullable
    Instant nextDue() {
        Sample next = waiting.peek();
        return next == null ? null : next.due();
    }

    /** True when the next sample is at this stage, and due at {@code deadline} or before. */
    boolean nextIs(int stage, Instant deadline) {
        Sample next = waiting.peek();
        return next != null && next.stage() == stage && next.isDue(deadline);
    }

    int size() {
        return waiting.size();
    }

    /** Bytes of the payloads of all waiting samples. */
    long bytes() {
        return bytes;
    }
}

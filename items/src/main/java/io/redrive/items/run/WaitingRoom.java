package io.redrive.items.run;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Samples that wait for their next attempt, the first due first. They hold no worker. Used by the coordinator only. */
final class WaitingRoom {

    private final PriorityQueue<Sample> waiting = new PriorityQueue<>(
            Comparator.<Sample, Instant>comparing(sample -> sample.due).thenComparingLong(sample -> sample.ordinal));

    private long bytes;

    void add(Sample sample) {
        waiting.add(sample);
        bytes += sample.bytes();
    }

    /** The next that is due; null when none is. */
    Sample poll(Instant now) {
        Sample next = waiting.peek();
        if (next == null || next.due.isAfter(now)) {
            return null;
        }
        bytes -= next.bytes();
        return waiting.poll();
    }

    /** When the next is due; null when nobody waits. */
    Instant next() {
        Sample next = waiting.peek();
        return next == null ? null : next.due;
    }

    /** True when the next is at this stage and due by then. */
    boolean nextIs(int stage, Instant dueBy) {
        Sample next = waiting.peek();
        return next != null && next.stage == stage && !next.due.isAfter(dueBy);
    }

    int size() {
        return waiting.size();
    }

    /** Of the payloads of those that wait. */
    long bytes() {
        return bytes;
    }
}

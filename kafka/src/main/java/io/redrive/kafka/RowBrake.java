package io.redrive.kafka;

import io.redrive.events.EventStore;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.time.Instant;

/**
 * Limits the rows that a flow adds to the store, so that an outage of a downstream service does not move a topic into the database:
 * rows per second, and rows that wait. A refused event is held in memory, and its record stays in Kafka. Dead letters always pass
 * and use up the allowance. Thread-safe.
 */
final class RowBrake {

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int BURST_SECONDS = 5;
    /** The brake counts as on for this time after a refused row. */
    private static final Duration ON = Duration.ofSeconds(10);

    private final EventStore store;
    private final int rowsPerSecond;
    private final long maxBacklog;
    private double allowance;
    private Instant filled = Instant.MIN;
    private Instant looked = Instant.MIN;
    private long backlog;
    private long rows;
    private Instant refused = Instant.MIN;

    RowBrake(EventStore store, int rowsPerSecond, long maxBacklog) {
        this.store = store;
        this.rowsPerSecond = rowsPerSecond;
        this.maxBacklog = maxBacklog;
        allowance = (double) rowsPerSecond * BURST_SECONDS;
    }

    /** Returns the number of rows, up to {@code wanted}, that may be added now, and counts these rows. */
    synchronized int allow(int wanted, Instant now) {
        if (wanted == 0) {
            return 0;
        }
        fill(now);
        look(now);
        int allowed = (int) Math.max(0, Math.min(wanted, Math.min(allowance, maxBacklog - backlog)));
        allowance -= allowed;
        backlog += allowed;
        rows += allowed;
        if (allowed < wanted) {
            refused = now;
        }
        return allowed;
    }

    /** Returns true when a row was refused a moment ago. */
    synchronized boolean isOn(Instant now) {
        return !refused.equals(Instant.MIN) && now.isBefore(refused.plus(ON));
    }

    /** Counts rows that pass in any case. */
    synchronized void count(int passing, Instant now) {
        fill(now);
        allowance -= passing;
        rows += passing;
    }

    /** Returns the number of rows that were counted so far. */
    synchronized long rows() {
        return rows;
    }

    private void fill(Instant now) {
        if (filled.equals(Instant.MIN) || now.isBefore(filled)) {
            filled = now;
        }
        double seconds = Duration.between(filled, now).toNanos() / 1e9;
        allowance = Math.min((double) rowsPerSecond * BURST_SECONDS, allowance + seconds * rowsPerSecond);
        filled = now;
    }

    private void look(Instant now) {
        if (looked.equals(Instant.MIN)
                || now.isBefore(looked)
                || !looked.plus(LOOK).isAfter(now)) {
            looked = now;
            StoreStats stats = store.stats(now);
            backlog = stats.ready() + stats.delayed();
        }
    }
}

package io.redrive.jdbc;

import io.redrive.events.EventStore;
import io.redrive.events.journal.Journal;
import java.time.Duration;

/**
 * Settings of a {@link SqliteStore}. Immutable: {@code SqliteOptions.DEFAULT.withMaxPayload(64 * 1024)}.
 *
 * @param maxPayload limit of bytes in the payload of one event; 1 MiB by default
 * @param keyRetention how long a published key is remembered, to drop duplicates; 24 hours by default
 * @param survivesPowerLoss true by default: published and settled events are synced to disk before the call returns.
 *     False survives a crash of the process but may lose the last moments when the machine loses power; much faster
 *     with single events on slow disks
 * @param lockTimeout how long a write waits for another process writing to the same file; 10 seconds by default
 * @param journalRetention how long the journal remembers finished events; zero, the default, switches the journal off
 */
public record SqliteOptions(
        int maxPayload,
        Duration keyRetention,
        boolean survivesPowerLoss,
        Duration lockTimeout,
        Duration journalRetention) {

    /** 1 MiB payloads, keys for 24 hours, safe from power loss, 10 seconds of waiting for a lock, no journal. */
    public static final SqliteOptions DEFAULT = new SqliteOptions(
            EventStore.DEFAULT_MAX_PAYLOAD,
            EventStore.DEFAULT_KEY_RETENTION,
            true,
            Duration.ofSeconds(10),
            Journal.OFF);

    /** Half of SQLite's limit for a row, because the row of an edited letter has two payloads. */
    private static final int LARGEST_PAYLOAD = 500_000_000;

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException when a value is out of range; the message has the name, the range and the value
     */
    public SqliteOptions {
        if (maxPayload < 1 || maxPayload > LARGEST_PAYLOAD) {
            throw new IllegalArgumentException(
                    "maxPayload must be between 1 and " + LARGEST_PAYLOAD + " bytes, got " + maxPayload);
        }
        if (keyRetention.isNegative() || keyRetention.isZero()) {
            throw new IllegalArgumentException("keyRetention must be longer than zero, got " + keyRetention);
        }
        if (lockTimeout.isNegative()) {
            throw new IllegalArgumentException("lockTimeout must not be negative, got " + lockTimeout);
        }
        Journal.requireRetention(journalRetention);
    }

    /**
     * Replaces the limit of bytes in one payload.
     *
     * @throws IllegalArgumentException when {@code bytes} is not between 1 and 500,000,000
     */
    public SqliteOptions withMaxPayload(int bytes) {
        return new SqliteOptions(bytes, keyRetention, survivesPowerLoss, lockTimeout, journalRetention);
    }

    /**
     * Replaces the retention of published keys.
     *
     * @throws IllegalArgumentException when {@code retention} is zero or negative
     */
    public SqliteOptions withKeyRetention(Duration retention) {
        return new SqliteOptions(maxPayload, retention, survivesPowerLoss, lockTimeout, journalRetention);
    }

    /**
     * Returns from publish and settle without a sync of the disk: faster, still safe from crashes of the process, not
     * from power loss.
     */
    public SqliteOptions withoutPowerLossSafety() {
        return new SqliteOptions(maxPayload, keyRetention, false, lockTimeout, journalRetention);
    }

    /**
     * Replaces the wait for another process writing to the same file.
     *
     * @throws IllegalArgumentException when {@code timeout} is negative
     */
    public SqliteOptions withLockTimeout(Duration timeout) {
        return new SqliteOptions(maxPayload, keyRetention, survivesPowerLoss, timeout, journalRetention);
    }

    /**
     * Remembers finished events for {@code retention}; {@code Duration.ZERO} switches the journal off.
     *
     * @throws IllegalArgumentException when {@code retention} is negative or longer than {@link Journal#MAX_RETENTION}
     */
    public SqliteOptions withJournal(Duration retention) {
        return new SqliteOptions(maxPayload, keyRetention, survivesPowerLoss, lockTimeout, retention);
    }
}

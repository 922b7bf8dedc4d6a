package io.redrive.jdbc;

import io.redrive.events.EventStore;
import java.time.Duration;

/**
 * How a {@link SqliteStore} is set up. Immutable: {@code SqliteOptions.DEFAULT.withMaxPayload(64 * 1024)}.
 *
 * @param maxPayload bytes of payload allowed in one event; 1 MiB by default
 * @param keyRetention how long keys are remembered to tell duplicates; 24 hours by default
 * @param survivesPowerLoss true by default: what was published or settled is synced to disk before the call returns.
 *     False survives the death of the process but may lose the last moments when the machine dies; much faster with
 *     single events on slow disks
 * @param lockTimeout how long to wait for another process that is writing to the same file; 10 seconds by default
 */
public record SqliteOptions(int maxPayload, Duration keyRetention, boolean survivesPowerLoss, Duration lockTimeout) {

    /** 1 MiB payloads, keys for 24 hours, safe from power loss, 10 seconds of waiting for a lock. */
    public static final SqliteOptions DEFAULT = new SqliteOptions(
            EventStore.DEFAULT_MAX_PAYLOAD, EventStore.DEFAULT_KEY_RETENTION, true, Duration.ofSeconds(10));

    /** SQLite keeps no larger values. */
    private static final int LARGEST_PAYLOAD = 500_000_000;

    /** Refuses what makes no sense. */
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
    }

    /** Another limit for payloads. */
    public SqliteOptions withMaxPayload(int bytes) {
        return new SqliteOptions(bytes, keyRetention, survivesPowerLoss, lockTimeout);
    }

    /** Another retention of keys. */
    public SqliteOptions withKeyRetention(Duration retention) {
        return new SqliteOptions(maxPayload, retention, survivesPowerLoss, lockTimeout);
    }

    /** Gives up safety from power loss (not from crashes) for speed. */
    public SqliteOptions withoutPowerLossSafety() {
        return new SqliteOptions(maxPayload, keyRetention, false, lockTimeout);
    }

    /** Another patience with other processes. */
    public SqliteOptions withLockTimeout(Duration timeout) {
        return new SqliteOptions(maxPayload, keyRetention, survivesPowerLoss, timeout);
    }
}

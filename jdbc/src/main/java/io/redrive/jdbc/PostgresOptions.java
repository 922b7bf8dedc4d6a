package io.redrive.jdbc;

import io.redrive.events.EventStore;
import java.time.Duration;

/**
 * How a {@link PostgresStore} is set up. Immutable: {@code PostgresOptions.DEFAULT.withSchema("orders")}.
 *
 * @param schema where the tables are, {@code redrive} by default; created when it does not exist. Stores with different
 *     schemas in one database know nothing of each other
 * @param maxPayload bytes of payload allowed in one event; 1 MiB by default
 * @param keyRetention how long keys are remembered to tell duplicates; 24 hours by default
 * @param connections how many connections the store's own pool has at most; 8 by default
 * @param connectTimeout how long a call waits for a connection, a free or a new one; 10 seconds by default
 * @param answerTimeout how long to wait for an answer of the server before its connection is given up; 20 seconds by
 *     default, shorter than a lease, so that a node whose connection stalls is back before others take over its work
 * @param hints whether nodes tell each other of new events by {@code LISTEN} and {@code NOTIFY}, which takes one connection
 *     more for a store with a pipeline; true by default. Without, they find out by polling. To be switched off behind a
 *     pooler that gives connections away after each transaction
 */
public record PostgresOptions(
        String schema,
        int maxPayload,
        Duration keyRetention,
        int connections,
        Duration connectTimeout,
        Duration answerTimeout,
        boolean hints) {

    private static final int LARGEST_PAYLOAD = 64 * 1024 * 1024;
    private static final int LEAST_CONNECTIONS = 2;
    private static final int MOST_CONNECTIONS = 1_000;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(250);

    /** Schema {@code redrive}, 1 MiB payloads, keys for 24 hours, 8 connections, time-outs of 10 and 20 seconds, hints. */
    public static final PostgresOptions DEFAULT = new PostgresOptions(
            PostgresSchemaName.USUAL,
            EventStore.DEFAULT_MAX_PAYLOAD,
            EventStore.DEFAULT_KEY_RETENTION,
            8,
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            true);

    /** Refuses what makes no sense. */
    public PostgresOptions {
        PostgresSchemaName.require(schema);
        require("maxPayload", maxPayload, 1, LARGEST_PAYLOAD);
        require("connections", connections, LEAST_CONNECTIONS, MOST_CONNECTIONS);
        if (keyRetention.isNegative() || keyRetention.isZero()) {
            throw new IllegalArgumentException("keyRetention must be longer than zero, got " + keyRetention);
        }
        requireTimeout("connectTimeout", connectTimeout);
        requireTimeout("answerTimeout", answerTimeout);
    }

    /** Tables in another schema. */
    public PostgresOptions withSchema(String name) {
        return new PostgresOptions(name, maxPayload, keyRetention, connections, connectTimeout, answerTimeout, hints);
    }

    /** Another limit for payloads. */
    public PostgresOptions withMaxPayload(int bytes) {
        return new PostgresOptions(schema, bytes, keyRetention, connections, connectTimeout, answerTimeout, hints);
    }

    /** Another retention of keys. */
    public PostgresOptions withKeyRetention(Duration retention) {
        return new PostgresOptions(schema, maxPayload, retention, connections, connectTimeout, answerTimeout, hints);
    }

    /** Another size of the store's own pool. */
    public PostgresOptions withConnections(int most) {
        return new PostgresOptions(schema, maxPayload, keyRetention, most, connectTimeout, answerTimeout, hints);
    }

    /** Another patience with a pool or server that gives no connection. */
    public PostgresOptions withConnectTimeout(Duration timeout) {
        return new PostgresOptions(schema, maxPayload, keyRetention, connections, timeout, answerTimeout, hints);
    }

    /** Another patience with a server that does not answer. */
    public PostgresOptions withAnswerTimeout(Duration timeout) {
        return new PostgresOptions(schema, maxPayload, keyRetention, connections, connectTimeout, timeout, hints);
    }

    /** No {@code LISTEN} and {@code NOTIFY}: nodes find out by polling what others published. */
    public PostgresOptions withoutHints() {
        return new PostgresOptions(schema, maxPayload, keyRetention, connections, connectTimeout, answerTimeout, false);
    }

    private static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " must be between " + least + " and " + most + ", got " + value);
        }
    }

    private static void requireTimeout(String what, Duration timeout) {
        if (timeout.compareTo(SHORTEST_TIMEOUT) < 0) {
            throw new IllegalArgumentException(what + " must be at least " + SHORTEST_TIMEOUT + ", got " + timeout);
        }
    }
}

package io.redrive.jdbc;

import io.redrive.events.EventStore;
import io.redrive.events.journal.Journal;
import java.time.Duration;

/**
 * Settings of a {@link PostgresStore}. Immutable: {@code PostgresOptions.DEFAULT.withSchema("orders")}.
 *
 * @param schema the schema of the tables, {@code redrive} by default; created when missing. Stores in different schemas
 *     of one database are independent
 * @param maxPayload limit of bytes in the payload of one event; 1 MiB by default
 * @param keyRetention how long a published key is remembered, to drop duplicates; 24 hours by default
 * @param connections limit of connections in the store's own pool; 8 by default
 * @param connectTimeout how long a call waits for a free or new connection; 10 seconds by default
 * @param answerTimeout how long a call waits for an answer of the server before its connection is closed; 20 seconds by
 *     default, shorter than a lease, so that a node with a stalled connection recovers before its leases expire
 * @param hints whether nodes announce new events by {@code LISTEN} and {@code NOTIFY}, which takes one more connection
 *     for a store with a pipeline; true by default. Without hints, nodes find events by polling. Switch hints off
 *     behind a pooler that hands connections on after each transaction
 * @param journalRetention how long the journal remembers finished events; zero, the default, switches the journal off
 */
public record PostgresOptions(
        String schema,
        int maxPayload,
        Duration keyRetention,
        int connections,
        Duration connectTimeout,
        Duration answerTimeout,
        boolean hints,
        Duration journalRetention) {

    private static final int LARGEST_PAYLOAD = 64 * 1024 * 1024;
    private static final int LEAST_CONNECTIONS = 2;
    private static final int MOST_CONNECTIONS = 1_000;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(250);

    /**
     * Schema {@code redrive}, 1 MiB payloads, keys for 24 hours, 8 connections, time-outs of 10 and 20 seconds, hints,
     * no journal.
     */
    public static final PostgresOptions DEFAULT = new PostgresOptions(
            PostgresSchemaName.USUAL,
            EventStore.DEFAULT_MAX_PAYLOAD,
            EventStore.DEFAULT_KEY_RETENTION,
            8,
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            true,
            Journal.OFF);

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException when a value is out of range; the message has the name, the range and the value
     */
    public PostgresOptions {
        PostgresSchemaName.require(schema);
        require("maxPayload", maxPayload, 1, LARGEST_PAYLOAD);
        require("connections", connections, LEAST_CONNECTIONS, MOST_CONNECTIONS);
        if (keyRetention.isNegative() || keyRetention.isZero()) {
            throw new IllegalArgumentException("keyRetention must be longer than zero, got " + keyRetention);
        }
        requireTimeout("connectTimeout", connectTimeout);
        requireTimeout("answerTimeout", answerTimeout);
        Journal.requireRetention(journalRetention);
    }

    /**
     * Replaces the schema of the tables.
     *
     * @throws IllegalArgumentException when {@code name} is not a plain lower-case name of at most 63 characters
     */
    public PostgresOptions withSchema(String name) {
        return new PostgresOptions(
                name, maxPayload, keyRetention, connections, connectTimeout, answerTimeout, hints, journalRetention);
    }

    /**
     * Replaces the limit of bytes in one payload.
     *
     * @throws IllegalArgumentException when {@code bytes} is not between 1 and 64 MiB
     */
    public PostgresOptions withMaxPayload(int bytes) {
        return new PostgresOptions(
                schema, bytes, keyRetention, connections, connectTimeout, answerTimeout, hints, journalRetention);
    }

    /**
     * Replaces the retention of published keys.
     *
     * @throws IllegalArgumentException when {@code retention} is zero or negative
     */
    public PostgresOptions withKeyRetention(Duration retention) {
        return new PostgresOptions(
                schema, maxPayload, retention, connections, connectTimeout, answerTimeout, hints, journalRetention);
    }

    /**
     * Replaces the limit of connections in the store's own pool.
     *
     * @throws IllegalArgumentException when {@code most} is not between 2 and 1,000
     */
    public PostgresOptions withConnections(int most) {
        return new PostgresOptions(
                schema, maxPayload, keyRetention, most, connectTimeout, answerTimeout, hints, journalRetention);
    }

    /**
     * Replaces the wait for a free or new connection.
     *
     * @throws IllegalArgumentException when {@code timeout} is shorter than 250 ms
     */
    public PostgresOptions withConnectTimeout(Duration timeout) {
        return new PostgresOptions(
                schema, maxPayload, keyRetention, connections, timeout, answerTimeout, hints, journalRetention);
    }

    /**
     * Replaces the wait for an answer of the server.
     *
     * @throws IllegalArgumentException when {@code timeout} is shorter than 250 ms
     */
    public PostgresOptions withAnswerTimeout(Duration timeout) {
        return new PostgresOptions(
                schema, maxPayload, keyRetention, connections, connectTimeout, timeout, hints, journalRetention);
    }

    /** Switches {@code LISTEN} and {@code NOTIFY} off: nodes find events of other nodes by polling. */
    public PostgresOptions withoutHints() {
        return new PostgresOptions(
                schema, maxPayload, keyRetention, connections, connectTimeout, answerTimeout, false, journalRetention);
    }

    /**
     * Remembers finished events for {@code retention}; {@code Duration.ZERO} switches the journal off.
     *
     * @throws IllegalArgumentException when {@code retention} is negative or longer than {@link Journal#MAX_RETENTION}
     */
    public PostgresOptions withJournal(Duration retention) {
        return new PostgresOptions(
                schema, maxPayload, keyRetention, connections, connectTimeout, answerTimeout, hints, retention);
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

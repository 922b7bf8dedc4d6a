package io.redrive.bench;

import io.redrive.events.Event;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The limit on SQLite: a single thread with plain JDBC on the tables of the SQLite store inserts events with their keys,
 * claims the events and deletes them. Each step is a transaction, with WAL and synchronous FULL. The events are the same as
 * in {@link EventLoad}, but the loop has no leases, no detection of duplicates and no recovery.
 */
final class BareLoop {

    private static final String INSERT = """
            INSERT INTO events (seq, state, queue, due_at, event_id, correlation_id, name, source, priority,
                                content_type, created_at, payload)
            VALUES (?, 0, 1, ?, ?, ?, ?, ?, 1, ?, ?, ?)""";
    private static final String INSERT_KEY =
            "INSERT INTO event_keys (seq, event_id, correlation_id, seen_at) VALUES (?, ?, ?, ?)";
    private static final String CLAIM = """
            UPDATE events SET state = 1, token = ?, first_claimed_at = ?
            WHERE seq IN (SELECT seq FROM events WHERE state = 0 AND queue = 1 AND due_at <= ? ORDER BY due_at, seq LIMIT ?)
            RETURNING seq, event_id, correlation_id, name, source, content_type, created_at, payload""";
    private static final String COMPLETE = "DELETE FROM events WHERE seq = ? AND token = ?";

    private BareLoop() {}

    /** Events per second of a whole cycle with {@code perCommit} events in each transaction; the file has the schema. */
    static double eventsPerSecond(Path file, int events, int perCommit) throws SQLException {
        try (Connection connection = open(file)) {
            long start = System.nanoTime();
            int done = 0;
            for (long cycle = 1; done < events; cycle++) {
                int count = Math.min(perCommit, events - done);
                insert(connection, done, count);
                done += handle(connection, cycle, count);
            }
            return events / ((System.nanoTime() - start) / 1e9);
        }
    }

    /** Events per second, with all events waiting from the start. */
    static double drainPerSecond(Path file, int events, int perCommit) throws SQLException {
        try (Connection connection = open(file)) {
            for (int i = 0; i < events; i += perCommit) {
                insert(connection, i, Math.min(perCommit, events - i));
            }
            long start = System.nanoTime();
            int done = 0;
            for (long cycle = 1; done < events; cycle++) {
                done += handle(connection, cycle, Math.min(perCommit, events - done));
            }
            return events / ((System.nanoTime() - start) / 1e9);
        }
    }

    private static Connection open(Path file) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA synchronous = FULL");
        }
        connection.setAutoCommit(false);
        return connection;
    }

    private static int handle(Connection connection, long token, int count) throws SQLException {
        long[] claimed = claim(connection, token, count);
        try (PreparedStatement complete = connection.prepareStatement(COMPLETE)) {
            for (long seq : claimed) {
                complete.setLong(1, seq);
                complete.setLong(2, token);
                complete.addBatch();
            }
            complete.executeBatch();
        }
        connection.commit();
        return claimed.length;
    }

    private static void insert(Connection connection, long position, int count) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT);
                PreparedStatement key = connection.prepareStatement(INSERT_KEY)) {
            for (int i = 1; i <= count; i++) {
                Event event = EventLoad.event();
                long created = event.created().toEpochMilli() * 1_000;
                insert.setLong(1, position + i);
                insert.setLong(2, created);
                insert.setString(3, event.id());
                insert.setString(4, event.correlationId().orElse(""));
                insert.setString(5, event.name());
                insert.setString(6, event.source());
                insert.setString(7, event.contentType());
                insert.setLong(8, created);
                insert.setBytes(9, event.payload());
                insert.addBatch();
                key.setLong(1, position + i);
                key.setString(2, event.id());
                key.setString(3, event.correlationId().orElse(""));
                key.setLong(4, created);
                key.addBatch();
            }
            insert.executeBatch();
            key.executeBatch();
        }
        connection.commit();
    }

    private static long[] claim(Connection connection, long token, int count) throws SQLException {
        long[] seqs = new long[count];
        int found = 0;
        try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
            claim.setLong(1, token);
            claim.setLong(2, 1);
            claim.setLong(3, Long.MAX_VALUE);
            claim.setInt(4, count);
            try (ResultSet rows = claim.executeQuery()) {
                while (rows.next()) {
                    seqs[found++] = rows.getLong(1);
                    rows.getString(2);
                    rows.getString(3);
                    rows.getString(4);
                    rows.getString(5);
                    rows.getString(6);
                    rows.getLong(7);
                    rows.getBytes(8);
                }
            }
        }
        connection.commit();
        if (found != count) {
            throw new IllegalStateException("claimed " + found + " of " + count);
        }
        return seqs;
    }
}

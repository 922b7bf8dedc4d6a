package io.redrive.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * A connection with its prepared statements, each compiled once, and the counters of the current transaction. Used by
 * one thread at a time.
 */
final class SqliteSession implements SqlSession, AutoCloseable {

    private static final String SCHEMA = "redrive.";

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    /** Whether the counters below were read in this transaction; changed counters are written before the commit. */
    private boolean countersRead;

    private boolean countersChanged;
    private long position;
    private long token;

    SqliteSession(Connection connection) {
        this.connection = connection;
    }

    /** Removes the schema from the text: a file has only one. */
    @Override
    public PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql.replace(SCHEMA, ""));
            prepared.put(sql, statement);
        }
        return statement;
    }

    @Override
    public Dialect dialect() {
        return Dialect.SQLITE;
    }

    /**
     * Executes text which SQLite evaluates while compiling, such as most pragmas, and which must therefore not be
     * prepared once and reused.
     */
    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Executes a script of many statements. */
    void executeAll(String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // Of the driver's methods only executeUpdate passes more than one statement on.
            statement.executeUpdate(script);
        }
    }

    /** Returns a new position for an event, higher than all before. */
    long nextPosition() throws SQLException {
        readCounters();
        countersChanged = true;
        return ++position;
    }

    /** Returns a new token for a claim, higher than all before. */
    long nextToken() throws SQLException {
        readCounters();
        countersChanged = true;
        return ++token;
    }

    void begin(String sql) throws SQLException {
        forgetCounters();
        prepare(sql).execute();
    }

    void commit() throws SQLException {
        if (countersChanged) {
            PreparedStatement write = prepare(SqliteSql.WRITE_COUNTERS);
            write.setLong(1, position);
            write.setLong(2, token);
            write.executeUpdate();
        }
        prepare(SqliteSql.COMMIT).execute();
        forgetCounters();
    }

    void rollback() throws SQLException {
        forgetCounters();
        for (PreparedStatement statement : prepared.values()) {
            statement.clearBatch();
        }
        prepare(SqliteSql.ROLLBACK).execute();
    }

    private void readCounters() throws SQLException {
        if (!countersRead) {
            try (ResultSet row = prepare(SqliteSql.READ_COUNTERS).executeQuery()) {
                row.next();
                position = row.getLong(1);
                token = row.getLong(2);
            }
            countersRead = true;
        }
    }

    private void forgetCounters() {
        countersRead = false;
        countersChanged = false;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}

package io.redrive.jdbc;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.events.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.postgresql.PGConnection;

/**
 * Runs work in transactions. Repeats a transaction, a few times, when the server undid it after a collision with
 * another transaction; explains and throws every other error.
 */
final class PostgresDatabase implements AutoCloseable {

    private static final Logger LOG = System.getLogger(PostgresDatabase.class.getName());

    /** How often the driver runs a statement, by default, before it prepares the statement on the server. */
    private static final int DRIVERS_THRESHOLD = 5;

    private static final Retry COLLISIONS = Retry.with(RetryPolicy.builder()
            .maxAttempts(6)
            .backoff(Backoff.exponential(Duration.ofMillis(10), Duration.ofMillis(500)))
            .jitter(Jitter.full())
            .retryIf(PostgresErrors::isUndone)
            .build());

    private final PostgresPool pool;
    private final PostgresSchemaName schema;
    private final String answerMillis;
    private final boolean isBehindPooler;
    private volatile boolean closed;

    private PostgresDatabase(PostgresPool pool, PostgresOptions options, boolean isBehindPooler) {
        this.pool = pool;
        this.isBehindPooler = isBehindPooler;
        schema = new PostgresSchemaName(options.schema());
        answerMillis = Long.toString(options.answerTimeout().toMillis());
    }

    /** Migrates the tables, and detects a pooler between store and server. */
    static PostgresDatabase open(PostgresPool pool, PostgresOptions options) throws SQLException {
        new PostgresMigrations(pool.migrations(), new PostgresSchemaName(options.schema()), pool.address()).migrate();
        boolean isBehindPooler = PostgresPoolerCheck.sharesConnections(pool.source());
        if (isBehindPooler) {
            LOG.log(
                    Level.WARNING,
                    "store " + pool.address() + ": a pooler hands connections on after each transaction, as pgbouncer"
                            + " does in transaction mode; statements are not prepared on the server, and events that"
                            + " other nodes publish are found by polling; connect to the server itself, or to a pool"
                            + " in session mode, to have both");
        }
        return new PostgresDatabase(pool, options, isBehindPooler);
    }

    /** True behind a {@linkplain PostgresPoolerCheck pooler} that hands connections on after each transaction. */
    boolean isBehindPooler() {
        return isBehindPooler;
    }

    PostgresPool pool() {
        return pool;
    }

    /** Runs work on a connection of the caller, in the caller's transaction. */
    <T> T joining(Connection connection, SqlWork<PostgresSession, T> work) {
        try (PostgresSession session = new PostgresSession(connection, schema)) {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException(
                        "the connection must be in a transaction, but commits each statement by"
                                + " itself; call setAutoCommit(false) on it, or publish without a connection");
            }
            return prepared(connection, own -> work.run(session));
        } catch (SQLException e) {
            throw PostgresErrors.explained(address(), e);
        }
    }

    /** Server and database, for messages. */
    String address() {
        return pool.address();
    }

    /** Runs one statement, which is a transaction by itself. */
    <T> T statement(SqlWork<PostgresSession, T> work) {
        return run(true, connection -> {
            try (PostgresSession session = new PostgresSession(connection, schema)) {
                return work.run(session);
            }
        });
    }

    /** Runs several statements in a transaction, for tables outside the hot path. */
    <T> T transaction(SqlWork<PostgresSession, T> work) {
        return run(false, connection -> inTransaction(connection, pool.isolation(), work));
    }

    /** Runs several queries on one snapshot. */
    <T> T snapshot(SqlWork<PostgresSession, T> work) {
        return run(false, connection -> inTransaction(connection, Optional.of(PostgresSql.SNAPSHOT), work));
    }

    /** Runs several statements in a transaction on the hot tables, see {@link PostgresSql#BEGIN_HOT}. */
    <T> T hotTransaction(SqlWork<PostgresSession, T> work) {
        return transaction(session -> {
            PreparedStatement begin = session.prepare(PostgresSql.BEGIN_HOT);
            begin.setString(1, answerMillis);
            begin.setString(2, answerMillis);
            begin.execute();
            return work.run(session);
        });
    }

    private <T> T run(boolean autoCommit, SqlWork<Connection, T> work) {
        if (closed) {
            throw new StoreException("store " + address() + ": closed; open it again to use it");
        }
        try {
            return COLLISIONS.call(() -> {
                try (Connection connection = pool.source().getConnection()) {
                    return with(connection, autoCommit, own -> prepared(own, work));
                }
            });
        } catch (SQLException e) {
            throw PostgresErrors.explained(address(), e);
        }
    }

    /**
     * Sets autocommit while work runs, and restores the previous value: an application's pool expects its connections
     * unchanged.
     */
    static <T> T with(Connection connection, boolean autoCommit, SqlWork<Connection, T> work) throws SQLException {
        boolean before = connection.getAutoCommit();
        connection.setAutoCommit(autoCommit);
        try {
            return work.run(connection);
        } finally {
            restore(connection, before);
        }
    }

    /**
     * Keeps the driver from preparing statements on a server connection which the pooler hands on. A threshold other
     * than the driver's default was set on purpose, for a pooler that keeps track of prepared statements (pgbouncer
     * from 1.21 on).
     */
    private <T> T prepared(Connection connection, SqlWork<Connection, T> work) throws SQLException {
        if (!isBehindPooler) {
            return work.run(connection);
        }
        PGConnection driver = connection.unwrap(PGConnection.class);
        if (driver.getPrepareThreshold() != DRIVERS_THRESHOLD) {
            return work.run(connection);
        }
        driver.setPrepareThreshold(0);
        try {
            return work.run(connection);
        } finally {
            driver.setPrepareThreshold(DRIVERS_THRESHOLD);
        }
    }

    /**
     * Restores autocommit. The result of the work is known by now, so the pool deals with a connection that fails here.
     */
    private static void restore(Connection connection, boolean autoCommit) {
        try {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            // The pool detects the broken connection.
        }
    }

    private <T> T inTransaction(Connection connection, Optional<String> isolation, SqlWork<PostgresSession, T> work)
            throws SQLException {
        boolean committed = false;
        try (PostgresSession session = new PostgresSession(connection, schema)) {
            if (isolation.isPresent()) {
                session.prepare(isolation.get()).execute();
            }
            T result = work.run(session);
            connection.commit();
            committed = true;
            return result;
        } finally {
            if (!committed) {
                rollback(connection);
            }
        }
    }

    /**
     * Rolls back. The caller must see the first failure; a connection too broken to roll back has no transaction left.
     */
    private static void rollback(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            // The server rolls back when the connection ends.
        }
    }

    @Override
    public void close() {
        closed = true;
        pool.onClose().run();
    }
}

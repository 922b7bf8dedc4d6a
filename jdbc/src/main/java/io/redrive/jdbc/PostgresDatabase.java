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
 * Runs work in transactions. A transaction that the server undid because it collided with another is run again, a few
 * times; whatever else goes wrong is explained and thrown.
 */
final class PostgresDatabase implements AutoCloseable {

    private static final Logger LOG = System.getLogger(PostgresDatabase.class.getName());

    /** So often is a statement run before the driver prepares it, unless told otherwise. */
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
    private final boolean isShared;
    private volatile boolean closed;

    private PostgresDatabase(PostgresPool pool, PostgresOptions options, boolean isShared) {
        this.pool = pool;
        this.isShared = isShared;
        schema = new PostgresSchemaName(options.schema());
        answerMillis = Long.toString(options.answerTimeout().toMillis());
    }

    /** Brings the tables up to date and looks what lies between here and the server. */
    static PostgresDatabase open(PostgresPool pool, PostgresOptions options) throws SQLException {
        new PostgresMigrations(pool.migrations(), new PostgresSchemaName(options.schema()), pool.address()).migrate();
        boolean isShared = PostgresPoolerCheck.sharesConnections(pool.source());
        if (isShared) {
            LOG.log(
                    Level.WARNING,
                    "store " + pool.address() + ": a pooler hands connections on after each transaction, as pgbouncer"
                            + " does in transaction mode; statements are not prepared on the server, and events that"
                            + " other nodes publish are found by polling; connect to the server itself, or to a pool"
                            + " in session mode, to have both");
        }
        return new PostgresDatabase(pool, options, isShared);
    }

    /** True behind a {@linkplain PostgresPoolerCheck pooler} that hands connections on after each transaction. */
    boolean isShared() {
        return isShared;
    }

    PostgresPool pool() {
        return pool;
    }

    /** Work on a connection of the caller, in its transaction. */
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

    /** One statement, which is a transaction of its own. */
    <T> T statement(SqlWork<PostgresSession, T> work) {
        return run(true, connection -> {
            try (PostgresSession session = new PostgresSession(connection, schema)) {
                return work.run(session);
            }
        });
    }

    /** Several statements that look at what lies quietly, or change it. */
    <T> T transaction(SqlWork<PostgresSession, T> work) {
        return run(false, connection -> inTransaction(connection, pool.isolation(), work));
    }

    /** Several queries that see the same moment. */
    <T> T snapshot(SqlWork<PostgresSession, T> work) {
        return run(false, connection -> inTransaction(connection, Optional.of(PostgresSql.SNAPSHOT), work));
    }

    /** Several statements on the tables that change all the time. */
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

    /** A pool of the application may have other habits, and gets its connections back as it gave them. */
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
     * Keeps the driver from preparing statements on a server connection that others get next. A threshold that is not the
     * driver's default was set by somebody who knows the pooler (pgbouncer from 1.21 on can keep track of statements).
     */
    private <T> T prepared(Connection connection, SqlWork<Connection, T> work) throws SQLException {
        if (!isShared) {
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

    /** The work is done, or what went wrong is known; a connection that fails only now is its pool's business. */
    private static void restore(Connection connection, boolean autoCommit) {
        try {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            // Broken, and whatever broke it has been told.
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

    /** What failed before is what the caller must hear of; a connection too broken to roll back has nothing to undo. */
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

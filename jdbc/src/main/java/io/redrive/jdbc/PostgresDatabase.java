package io.redrive.jdbc;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.events.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Runs work in transactions. A transaction that the server undid because it collided with another is run again, a few
 * times; whatever else goes wrong is explained and thrown.
 */
final class PostgresDatabase implements AutoCloseable {

    private static final Retry COLLISIONS = Retry.with(RetryPolicy.builder()
            .maxAttempts(6)
            .backoff(Backoff.exponential(Duration.ofMillis(10), Duration.ofMillis(500)))
            .jitter(Jitter.full())
            .retryIf(PostgresErrors::isUndone)
            .build());

    private final PostgresPool pool;
    private final SchemaName schema;
    private final String answerMillis;
    private volatile boolean closed;

    PostgresDatabase(PostgresPool pool, PostgresOptions options) {
        this.pool = pool;
        schema = new SchemaName(options.schema());
        answerMillis = Long.toString(options.answerTimeout().toMillis());
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
            return work.run(session);
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
        return run(
                false,
                connection ->
                        inTransaction(connection, pool.isReadCommitted() ? null : PostgresSql.READ_COMMITTED, work));
    }

    /** Several queries that see the same moment. */
    <T> T snapshot(SqlWork<PostgresSession, T> work) {
        return run(false, connection -> inTransaction(connection, PostgresSql.SNAPSHOT, work));
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
                    return with(connection, autoCommit, work);
                }
            });
        } catch (SQLException e) {
            throw PostgresErrors.explained(address(), e);
        }
    }

    /** A pool of the application may have other habits, and gets its connections back as it gave them. */
    private static <T> T with(Connection connection, boolean autoCommit, SqlWork<Connection, T> work)
            throws SQLException {
        boolean before = connection.getAutoCommit();
        connection.setAutoCommit(autoCommit);
        try {
            return work.run(connection);
        } finally {
            restore(connection, before);
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

    private <T> T inTransaction(Connection connection, String isolation, SqlWork<PostgresSession, T> work)
            throws SQLException {
        boolean committed = false;
        try (PostgresSession session = new PostgresSession(connection, schema)) {
            if (isolation != null) {
                session.prepare(isolation).execute();
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

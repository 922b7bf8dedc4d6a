package io.redrive.jdbc;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hears the hints of other nodes, on one connection that it keeps. When that breaks it makes another, as often as it takes;
 * meanwhile, and where hints do not get through at all, polling finds everything.
 */
final class PostgresListener implements AutoCloseable {

    private static final Logger LOG = System.getLogger(PostgresListener.class.getName());

    private static final RetryPolicy RECONNECT = RetryPolicy.builder()
            .maxAttempts(Integer.MAX_VALUE)
            .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10)))
            .jitter(Jitter.equal())
            .build();

    /** How soon it notices that it was closed. */
    private static final int PATIENCE_MILLIS = 500;

    /** A connection that says nothing for so long is asked whether it is still there. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final PostgresPool pool;
    private final PostgresOptions options;
    private final String ownSignature;
    private final Runnable wake;
    private final Time time = Time.system();
    private final Thread thread = new Thread(this::run, "redrive-postgres-listener");
    private volatile boolean closed;

    /** Runs {@code wake} for each hint that does not carry the signature. */
    PostgresListener(PostgresPool pool, PostgresOptions options, String ownSignature, Runnable wake) {
        this.pool = pool;
        this.options = options;
        this.ownSignature = ownSignature;
        this.wake = wake;
    }

    /** Begins to listen, if it is to and has not. */
    synchronized void startOnce() {
        if (options.hints() && thread.getState() == Thread.State.NEW && !closed) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        while (!closed && !Thread.currentThread().isInterrupted()) {
            // Ends when a connection has worked for a while, so that the next one is made without delay.
            Retry.with(RECONNECT).run(this::listenUntilBroken);
        }
    }

    private void listenUntilBroken() throws SQLException {
        long began = time.nanos();
        try (Connection connection = pool.source().getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try (Statement listen = connection.createStatement()) {
                listen.execute("LISTEN \"" + options.schema() + '"');
                // What was published while nobody listened.
                wake.run();
                hear(connection);
            } finally {
                stopListening(connection, autoCommit);
            }
        } catch (SQLException e) {
            if (closed) {
                return;
            }
            LOG.log(Level.DEBUG, "store " + pool.address() + ": not listening for hints, polling goes on", e);
            if (time.nanos() - began < SILENCE_NANOS) {
                throw e;
            }
        }
    }

    private void hear(Connection connection) throws SQLException {
        PGConnection listening = connection.unwrap(PGConnection.class);
        long heard = time.nanos();
        while (!closed) {
            PGNotification[] hints = listening.getNotifications(PATIENCE_MILLIS);
            if (hints != null && isFromOthers(hints)) {
                wake.run();
            }
            if (hints != null && hints.length > 0) {
                heard = time.nanos();
            } else if (time.nanos() - heard > SILENCE_NANOS) {
                requireAlive(connection);
                heard = time.nanos();
            }
        }
    }

    private void requireAlive(Connection connection) throws SQLException {
        int seconds = (int) Math.max(1, options.answerTimeout().toSeconds());
        if (!connection.isValid(seconds)) {
            throw new SQLException("the listening connection does not answer", "08006");
        }
    }

    private boolean isFromOthers(PGNotification[] hints) {
        for (PGNotification hint : hints) {
            if (!hint.getParameter().equals(ownSignature)) {
                return true;
            }
        }
        return false;
    }

    /** The connection may go back to a pool of the application. */
    private static void stopListening(Connection connection, boolean autoCommit) {
        try (Statement unlisten = connection.createStatement()) {
            unlisten.execute("UNLISTEN *");
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            // It is broken, and ends with its pool's help.
        }
    }

    /** Gives the connection back before it returns: the application may close its pool next. */
    @Override
    public synchronized void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(2 * PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

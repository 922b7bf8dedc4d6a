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
 * Receives the hints of other nodes on one connection. Replaces a broken connection, without a limit of attempts;
 * meanwhile, and wherever hints are lost, polling finds all events.
 */
final class PostgresListener implements AutoCloseable {

    private static final Logger LOG = System.getLogger(PostgresListener.class.getName());

    private static final RetryPolicy RECONNECT = RetryPolicy.builder()
            .maxAttempts(Integer.MAX_VALUE)
            .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10)))
            .jitter(Jitter.equal())
            .build();

    /** The delay until {@link #close} takes effect. */
    private static final int PATIENCE_MILLIS = 500;

    /** A connection without a hint for this long is tested. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final PostgresPool pool;
    private final PostgresOptions options;
    private final String ownSignature;
    private final Runnable wake;
    private final Time time = Time.system();
    private final Thread thread = new Thread(this::run, "redrive-postgres-listener");
    private volatile boolean closed;

    /** Runs {@code wake} for each hint without the signature. */
    PostgresListener(PostgresPool pool, PostgresOptions options, String ownSignature, Runnable wake) {
        this.pool = pool;
        this.options = options;
        this.ownSignature = ownSignature;
        this.wake = wake;
    }

    /** Starts to listen, unless hints are off or listening has started. */
    synchronized void startOnce() {
        if (options.hints() && thread.getState() == Thread.State.NEW && !closed) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        while (!closed && !Thread.currentThread().isInterrupted()) {
            // The retry ends when a connection has worked for a while, so that its replacement is made without delay.
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
                // Events may have been published before LISTEN.
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

    /** Prepares the connection for its return to the application's pool. */
    private static void stopListening(Connection connection, boolean autoCommit) {
        try (Statement unlisten = connection.createStatement()) {
            unlisten.execute("UNLISTEN *");
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            // The pool detects the broken connection.
        }
    }

    /** Returns the connection first: the application may close its pool next. */
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

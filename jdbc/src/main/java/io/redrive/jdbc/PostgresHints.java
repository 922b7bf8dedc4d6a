package io.redrive.jdbc;

import io.redrive.core.Time;
import io.redrive.events.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Tells other nodes, by {@code NOTIFY}, that something was published; {@link PostgresListener} hears it. A hint that is lost
 * costs nothing but the wait until the next poll.
 *
 * <p>A transaction that notifies takes a lock of the whole database while it commits, so with a hint in each, all publishers
 * would commit one after the other. Publishers therefore only ask for a hint. A thread sends it, in a transaction of its
 * own, then pauses, then sends one more for what was published meanwhile. With a caller's transaction there is no other
 * way to be heard at its commit, so there the hint goes along, but only in one transaction of those within a pause.
 */
final class PostgresHints implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Logger LOG = System.getLogger(PostgresHints.class.getName());

    private enum Wanted {
        NOW,
        AFTER_PAUSE
    }

    private final PostgresDatabase database;
    private final boolean on;
    private final String sender;
    private final Time time = Time.system();
    private final BlockingQueue<Wanted> wanted = new ArrayBlockingQueue<>(1);
    private final AtomicLong lastInTransaction = new AtomicLong(time.nanos() - PAUSE.toNanos());
    /** Something was published since the last hint; also while the thread has taken the wish for it and not sent it yet. */
    private volatile boolean untold;

    private @Nullable Thread thread;
    private boolean closed;

    /** Sends none unless {@code on}; signs them, so that the sender can tell them from those of others. */
    PostgresHints(PostgresDatabase database, boolean on, String sender) {
        this.database = database;
        this.on = on;
        this.sender = sender;
    }

    /** Something was published, and is committed. */
    void published() {
        want(Wanted.NOW);
    }

    /** Something was published in a transaction that is not committed yet. */
    void publishedIn(PostgresSession transaction) throws SQLException {
        long now = time.nanos();
        long last = lastInTransaction.get();
        if (on && now - last >= PAUSE.toNanos() && lastInTransaction.compareAndSet(last, now)) {
            // Unsigned: the sender's own pipeline has not been woken either.
            send(transaction, "");
        }
        want(Wanted.AFTER_PAUSE);
    }

    private void want(Wanted when) {
        if (on) {
            untold = true;
            if (wanted.offer(when)) {
                startOnce();
            }
        }
    }

    private synchronized void startOnce() {
        if (thread == null && !closed) {
            Thread started = new Thread(this::run, "redrive-postgres-hints");
            started.setDaemon(true);
            started.start();
            thread = started;
        }
    }

    private void run() {
        try {
            while (true) {
                if (wanted.take() == Wanted.AFTER_PAUSE) {
                    time.sleep(PAUSE);
                    sendUnlessClosed("");
                } else {
                    sendUnlessClosed(sender);
                }
                time.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private synchronized void sendUnlessClosed(String signature) {
        if (!closed) {
            untold = false;
            send(signature);
        }
    }

    private void send(String signature) {
        try {
            database.statement(session -> send(session, signature));
        } catch (StoreException e) {
            LOG.log(Level.DEBUG, "a hint for other nodes was not sent; they will find out by polling", e);
        }
    }

    private static boolean send(PostgresSession session, String signature) throws SQLException {
        PreparedStatement send = session.prepare(PostgresSql.NOTIFY);
        send.setString(1, session.schema().toString());
        send.setString(2, signature);
        return send.execute();
    }

    /** What is still to be told is told now. */
    @Override
    public synchronized void close() {
        if (!closed && untold) {
            send(sender);
        }
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}

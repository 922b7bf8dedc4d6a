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
 * Tells nodes, by {@code NOTIFY}, about published events; {@link PostgresListener} receives the hints. A lost hint
 * costs only the wait until the next poll.
 *
 * <p>A transaction with NOTIFY holds a lock of the whole database while it commits, so a hint in each transaction would
 * make publishers commit one after another. Publishers therefore only request a hint. A thread sends the hint in its
 * own transaction, pauses, then sends one more for events published meanwhile. A caller's transaction can only be
 * announced at its commit by a hint inside that transaction; one such transaction per pause carries a hint.
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
    /** True when events were published after the last hint was sent. */
    private volatile boolean untold;

    private @Nullable Thread thread;
    private boolean closed;

    /**
     * Sends hints only when {@code on}. Hints carry the signature {@code sender}, so that their sender can ignore them.
     */
    PostgresHints(PostgresDatabase database, boolean on, String sender) {
        this.database = database;
        this.on = on;
        this.sender = sender;
    }

    /** Requests a hint for committed events. */
    void published() {
        want(Wanted.NOW);
    }

    /** Announces events of a transaction that is still open. */
    void publishedIn(PostgresSession transaction) throws SQLException {
        long now = time.nanos();
        long last = lastInTransaction.get();
        if (on && now - last >= PAUSE.toNanos() && lastInTransaction.compareAndSet(last, now)) {
            // Unsigned, because the pipeline of this node must wake up too.
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

    /** Sends a requested hint at once, then stops. */
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

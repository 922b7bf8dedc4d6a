package io.redrive.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Cancels events that no claim has taken yet. */
final class PostgresScheduled {

    private PostgresScheduled() {}

    private record Found(
            long seq, int queue, String name, @Nullable String key) {}

    /**
     * Cancels an event. An event without a claim is in its queue, set aside, or in its line; the first transaction to
     * delete this row has the event. Cancelling waits for a claim in progress, and then does not find the event.
     */
    static boolean cancel(PostgresSession session, String id, String correlationId) throws SQLException {
        Optional<Found> unfinished = find(session, id, correlationId);
        if (unfinished.isEmpty() || hasBegun(session, unfinished.get().seq())) {
            return false;
        }
        Found found = unfinished.get();
        boolean left = found.key() == null ? leaveQueue(session, found) : leaveLine(session, found, found.key());
        if (left) {
            update(session, PostgresScheduledSql.DELETE, found.seq());
            PreparedStatement forget = session.prepare(PostgresScheduledSql.FORGET_KEY);
            forget.setString(1, id);
            forget.setString(2, correlationId);
            forget.executeUpdate();
        }
        return left;
    }

    private static Optional<Found> find(PostgresSession session, String id, String correlationId) throws SQLException {
        PreparedStatement find = session.prepare(PostgresScheduledSql.FIND);
        for (int at = 1; at <= 3; at += 2) {
            find.setString(at, id);
            find.setString(at + 1, correlationId);
        }
        try (ResultSet row = find.executeQuery()) {
            return row.next()
                    ? Optional.of(new Found(row.getLong(1), row.getInt(2), row.getString(3), row.getString(4)))
                    : Optional.empty();
        }
    }

    private static boolean hasBegun(PostgresSession session, long seq) throws SQLException {
        PreparedStatement begun = session.prepare(PostgresScheduledSql.HAS_BEGUN);
        begun.setLong(1, seq);
        try (ResultSet row = begun.executeQuery()) {
            return row.next();
        }
    }

    private static boolean leaveQueue(PostgresSession session, Found found) throws SQLException {
        PreparedStatement queue = session.prepare(PostgresScheduledSql.LEAVE_QUEUE);
        queue.setInt(1, found.queue());
        queue.setLong(2, found.seq());
        if (queue.executeUpdate() > 0) {
            return true;
        }
        PreparedStatement aside = session.prepare(PostgresScheduledSql.LEAVE_ASIDE);
        aside.setInt(1, found.queue());
        aside.setString(2, found.name());
        aside.setLong(3, found.seq());
        return aside.executeUpdate() > 0;
    }

    /**
     * Removes an event from its line, holding the lock of the lines. After the active event of a line has left, the
     * next exchange activates its successor.
     */
    private static boolean leaveLine(PostgresSession session, Found found, String key) throws SQLException {
        PreparedStatement lock = session.prepare(PostgresSql.LOCK);
        lock.setLong(1, session.schema().lock(PostgresLines.PURPOSE));
        lock.execute();
        if (update(session, PostgresScheduledSql.LEAVE_CALLS, found.seq())) {
            return true;
        }
        if (!isActive(session, found.seq())) {
            return update(session, PostgresScheduledSql.LEAVE_LINE, found.seq());
        }
        boolean left = leaveQueue(session, found);
        if (left) {
            update(session, PostgresScheduledSql.LEAVE_LINE, found.seq());
            PostgresLines.call(session, List.of(key));
        }
        return left;
    }

    private static boolean isActive(PostgresSession session, long seq) throws SQLException {
        PreparedStatement active = session.prepare(PostgresScheduledSql.IS_ACTIVE);
        active.setLong(1, seq);
        try (ResultSet row = active.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static boolean update(PostgresSession session, String sql, long seq) throws SQLException {
        PreparedStatement statement = session.prepare(sql);
        statement.setLong(1, seq);
        return statement.executeUpdate() > 0;
    }
}

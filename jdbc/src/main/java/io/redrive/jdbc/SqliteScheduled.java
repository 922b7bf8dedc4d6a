package io.redrive.jdbc;

import io.redrive.events.NamePattern;
import io.redrive.events.Scheduled;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Events that nobody has begun: listing and cancelling them. */
final class SqliteScheduled {

    static final int POSITION_COLUMN = 13;

    private SqliteScheduled() {}

    static List<Scheduled> list(SqliteSession session, Scheduled.Filter filter, int limit, Instant now)
            throws SQLException {
        NamePattern name = filter.name().orElse(new NamePattern("*"));
        PreparedStatement list = session.prepare(SqliteSql.SCHEDULED);
        list.setLong(1, Micros.of(now));
        list.setLong(
                2, filter.after().map(last -> Micros.of(last.event().due())).orElse(Long.MIN_VALUE));
        list.setLong(3, filter.after().map(Scheduled::position).orElse(Long.MIN_VALUE));
        list.setLong(4, filter.dueBefore().map(Micros::of).orElse(Long.MAX_VALUE));
        list.setString(5, name.lowest());
        list.setString(6, name.beyond());
        list.setInt(7, limit);
        return scheduled(list);
    }

    static List<Scheduled> scheduled(PreparedStatement list) throws SQLException {
        List<Scheduled> found = new ArrayList<>();
        try (ResultSet row = list.executeQuery()) {
            while (row.next()) {
                found.add(new Scheduled(EventRows.event(row), row.getLong(POSITION_COLUMN)));
            }
        }
        return found;
    }

    /** Where the event is: quickly while its key is remembered, by a search through all events afterwards. */
    static OptionalLong position(SqliteSession session, String id, String correlationId) throws SQLException {
        OptionalLong byKey = position(session, SqliteSql.POSITION_BY_KEY, id, correlationId);
        return byKey.isPresent() ? byKey : position(session, SqliteSql.POSITION_BY_SEARCH, id, correlationId);
    }

    private static OptionalLong position(SqliteSession session, String sql, String id, String correlationId)
            throws SQLException {
        PreparedStatement find = session.prepare(sql);
        find.setString(1, id);
        find.setString(2, correlationId);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
        }
    }

    static boolean cancel(SqliteSession session, long position, String id, String correlationId) throws SQLException {
        PreparedStatement cancel = session.prepare(SqliteSql.CANCEL);
        cancel.setLong(1, position);
        cancel.setString(2, id);
        cancel.setString(3, correlationId);
        String key;
        try (ResultSet row = cancel.executeQuery()) {
            if (!row.next()) {
                return false;
            }
            key = row.getString(1);
        }
        PreparedStatement forget = session.prepare(SqliteSql.FORGET_KEY);
        forget.setLong(1, position);
        forget.executeUpdate();
        if (key != null) {
            PreparedStatement unblock = session.prepare(SqliteSql.UNBLOCK_NEXT);
            unblock.setString(1, key);
            unblock.executeUpdate();
        }
        return true;
    }
}

package io.redrive.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/** Finds and cancels events that no claim has taken yet. */
final class SqliteScheduled {

    private SqliteScheduled() {}

    /** Position of an event: by its key while the key is remembered, afterwards by the index of the events without a key. */
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

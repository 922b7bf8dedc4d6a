package io.redrive.jdbc;

import io.redrive.events.NamePattern;
import io.redrive.events.Scheduled;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A page of scheduled events, for both dialects. */
final class ScheduledRows {

    private static final int POSITION_COLUMN = 13;

    private ScheduledRows() {}

    /**
     * Runs the dialect's query. Its parameters: the time; due time and position of the last event of the page before;
     * the end of the range of due times; the range of names; the limit.
     */
    static List<Scheduled> list(SqlSession session, String sql, Scheduled.Filter filter, int limit, Instant now)
            throws SQLException {
        NamePattern name = filter.name().orElse(new NamePattern("*"));
        PreparedStatement list = session.prepare(sql);
        list.setLong(1, Micros.of(now));
        list.setLong(
                2, filter.after().map(last -> Micros.of(last.event().due())).orElse(Long.MIN_VALUE));
        list.setLong(3, filter.after().map(Scheduled::position).orElse(Long.MIN_VALUE));
        list.setLong(4, filter.dueBefore().map(Micros::of).orElse(Long.MAX_VALUE));
        list.setString(5, name.lowest());
        list.setString(6, name.beyond());
        list.setInt(7, limit);
        List<Scheduled> found = new ArrayList<>();
        try (ResultSet row = list.executeQuery()) {
            while (row.next()) {
                found.add(new Scheduled(EventRows.event(row), row.getLong(POSITION_COLUMN)));
            }
        }
        return found;
    }
}

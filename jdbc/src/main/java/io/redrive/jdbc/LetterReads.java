package io.redrive.jdbc;

import io.redrive.events.AttemptRecord;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.PublishResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads dead letters, each call inside one snapshot. */
final class LetterReads {

    private LetterReads() {}

    static List<DeadLetter> list(SqlSession session, LetterFilter filter, long afterId, int limit) throws SQLException {
        return letters(page(session, LetterSql.LIST, filter, afterId, limit), Map.of());
    }

    static List<DeadLetter> newest(SqlSession session, LetterFilter filter, long beforeId, int limit)
            throws SQLException {
        return letters(page(session, LetterSql.NEWEST, filter, beforeId, limit), Map.of());
    }

    static List<DeadLetter> listWithHistory(SqlSession session, LetterFilter filter, long afterId, int limit)
            throws SQLException {
        Map<Long, List<AttemptRecord>> histories = new HashMap<>();
        try (ResultSet row =
                page(session, LetterSql.HISTORY, filter, afterId, limit).executeQuery()) {
            while (row.next()) {
                histories
                        .computeIfAbsent(row.getLong(EventRows.ATTEMPT_ORIGIN), origin -> new ArrayList<>())
                        .add(EventRows.attempt(row));
            }
        }
        return letters(page(session, LetterSql.LIST, filter, afterId, limit), histories);
    }

    private static PreparedStatement page(SqlSession session, String sql, LetterFilter filter, long id, int limit)
            throws SQLException {
        LetterConditions conditions = new LetterConditions(filter, session.dialect());
        PreparedStatement page = session.prepare(conditions.in(sql));
        page.setLong(1, id);
        page.setInt(conditions.bind(page, 2), limit);
        return page;
    }

    private static List<DeadLetter> letters(PreparedStatement query, Map<Long, List<AttemptRecord>> histories)
            throws SQLException {
        List<DeadLetter> letters = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                letters.add(
                        EventRows.letter(row, histories.getOrDefault(row.getLong(LetterSql.ORIGIN_COLUMN), List.of())));
            }
        }
        return letters;
    }

    static long count(SqlSession session, LetterFilter filter) throws SQLException {
        if (LetterCounts.answer(session, filter)) {
            return LetterCounts.count(session, filter);
        }
        LetterConditions conditions = new LetterConditions(filter, session.dialect());
        PreparedStatement count = session.prepare(conditions.in(LetterSql.COUNT));
        conditions.bind(count, 1);
        return number(count);
    }

    static List<LetterGroup> groups(SqlSession session, LetterFilter filter, int limit) throws SQLException {
        if (LetterCounts.answer(session, filter)) {
            return LetterCounts.groups(session, filter, limit);
        }
        LetterConditions conditions = new LetterConditions(filter, session.dialect());
        PreparedStatement groups = session.prepare(conditions.in(LetterSql.GROUPS));
        int next = conditions.bind(groups, 1);
        groups.setInt(next, limit);
        conditions.bind(groups, next + 1);
        List<LetterGroup> found = new ArrayList<>();
        try (ResultSet row = groups.executeQuery()) {
            while (row.next()) {
                found.add(new LetterGroup(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getLong(4),
                        names(session, conditions, row.getString(1)),
                        Micros.toInstant(row.getLong(5)),
                        Micros.toInstant(row.getLong(6))));
            }
        }
        return found;
    }

    private static List<String> names(SqlSession session, LetterConditions conditions, String fingerprint)
            throws SQLException {
        PreparedStatement names = session.prepare(conditions.in(LetterSql.GROUP_NAMES));
        names.setString(1, fingerprint);
        names.setInt(conditions.bind(names, 2), LetterGroup.MAX_NAMES);
        List<String> found = new ArrayList<>();
        try (ResultSet row = names.executeQuery()) {
            while (row.next()) {
                found.add(row.getString(1));
            }
        }
        return found;
    }

    static Optional<DeadLetter> find(SqlSession session, long id) throws SQLException {
        LetterFilter only = LetterFilter.ofIds(List.of(id));
        return listWithHistory(session, only, Long.MIN_VALUE, 1).stream().findFirst();
    }

    /** The answer to publishing an event whose key is known. */
    static PublishResult duplicate(SqlSession session, Event event) throws SQLException {
        PreparedStatement find = session.prepare(LetterSql.LETTER_OF);
        find.setString(1, event.id());
        find.setString(2, EventRows.correlationId(event));
        try (ResultSet row = find.executeQuery()) {
            row.next();
            long letter = row.getLong(1);
            return row.wasNull() ? PublishResult.DUPLICATE : PublishResult.duplicateOf(letter);
        }
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}

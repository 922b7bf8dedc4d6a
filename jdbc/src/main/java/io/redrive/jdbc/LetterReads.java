package io.redrive.jdbc;

import io.redrive.events.AttemptRecord;
import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.OperatorAction;
import io.redrive.events.RedriveProgress;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What operators look at, each inside one snapshot. */
final class LetterReads {

    private static final int MAX_NAMES = 10;

    private LetterReads() {}

    static List<DeadLetter> list(SqlSession session, LetterFilter filter, long afterId, int limit) throws SQLException {
        LetterConditions conditions = new LetterConditions(filter, session.dialect());
        PreparedStatement list = session.prepare(conditions.in(LetterSql.LIST));
        list.setLong(1, afterId);
        list.setInt(conditions.bind(list, 2), limit);
        List<DeadLetter> letters = new ArrayList<>();
        try (ResultSet row = list.executeQuery()) {
            while (row.next()) {
                letters.add(EventRows.letter(row, List.of()));
            }
        }
        return letters;
    }

    static long count(SqlSession session, LetterFilter filter) throws SQLException {
        LetterConditions conditions = new LetterConditions(filter, session.dialect());
        PreparedStatement count = session.prepare(conditions.in(LetterSql.COUNT));
        conditions.bind(count, 1);
        return number(count);
    }

    static List<LetterGroup> groups(SqlSession session, LetterFilter filter, int limit) throws SQLException {
        LetterConditions conditions = new LetterConditions(filter, session.dialect());
        PreparedStatement groups = session.prepare(conditions.in(LetterSql.GROUPS));
        groups.setInt(conditions.bind(groups, 1), limit);
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
        names.setInt(conditions.bind(names, 2), MAX_NAMES);
        List<String> found = new ArrayList<>();
        try (ResultSet row = names.executeQuery()) {
            while (row.next()) {
                found.add(row.getString(1));
            }
        }
        return found;
    }

    static Optional<DeadLetter> find(SqlSession session, long id) throws SQLException {
        PreparedStatement find = session.prepare(LetterSql.FIND);
        find.setLong(1, id);
        try (ResultSet row = find.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            List<AttemptRecord> history = history(session, row.getLong(LetterSql.ORIGIN_COLUMN));
            return Optional.of(EventRows.letter(row, history));
        }
    }

    private static List<AttemptRecord> history(SqlSession session, long origin) throws SQLException {
        PreparedStatement attempts = session.prepare(LetterSql.HISTORY);
        attempts.setLong(1, origin);
        List<AttemptRecord> history = new ArrayList<>();
        try (ResultSet row = attempts.executeQuery()) {
            while (row.next()) {
                history.add(EventRows.attempt(row));
            }
        }
        return history;
    }

    static RedriveProgress progress(SqlSession session, String batch) throws SQLException {
        PreparedStatement pending = session.prepare(LetterSql.PENDING);
        pending.setString(1, batch);
        long waiting = number(pending);
        PreparedStatement again = session.prepare(LetterSql.DEAD_AGAIN);
        again.setString(1, batch);
        long dead = 0;
        Set<String> causes = new HashSet<>();
        try (ResultSet row = again.executeQuery()) {
            while (row.next()) {
                causes.add(row.getString(1));
                dead += row.getLong(2);
            }
        }
        return new RedriveProgress(waiting, dead, causes);
    }

    static List<OperatorAction> actions(SqlSession session, int limit) throws SQLException {
        PreparedStatement newest = session.prepare(LetterSql.ACTIONS);
        newest.setInt(1, limit);
        List<OperatorAction> actions = new ArrayList<>();
        try (ResultSet row = newest.executeQuery()) {
            while (row.next()) {
                actions.add(new OperatorAction(
                        Micros.toInstant(row.getLong(1)),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getLong(5)));
            }
        }
        return actions;
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}

package io.redrive.jdbc;

import io.redrive.events.ActionFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The record of operator actions, for both dialects: one row for each command, found by the command's id. */
final class ActionRows {

    private static final String COLUMNS =
            "SELECT command, operator, origin, about, action, at, updated_at, detail, letters, causes"
                    + " FROM redrive.operator_actions ";

    /** Followed by {@link Dialect#forUpdate}. */
    private static final String FIND = COLUMNS + "WHERE command = ? ";

    /** A second transaction of the same command waits for the first. */
    private static final String BEGIN = """
        INSERT INTO redrive.operator_actions (command, operator, origin, about, action, at, updated_at, detail, letters)
        VALUES (?, ?, ?, ?, ?, ?, ?, '', 0)
        ON CONFLICT (command) DO NOTHING
        """;

    private static final String BEHIND = "id < (SELECT id FROM redrive.operator_actions WHERE command = ?)";

    private static final String CHANGE = """
        UPDATE redrive.operator_actions SET updated_at = ?, detail = ?, letters = ?, causes = ?
        WHERE command = ?
        """;

    private ActionRows() {}

    /**
     * Adds letters to the row of a command. A call that changed no letter leaves no row: automatic redrives run every
     * minute.
     */
    static void add(
            LetterSession session, OperatorCommand command, String action, Map<String, Long> causes, Instant now)
            throws SQLException {
        if (!causes.isEmpty()) {
            change(session, command, action, now, row -> row.plus(causes, now));
        }
    }

    static void change(
            LetterSession session,
            OperatorCommand command,
            String action,
            Instant now,
            UnaryOperator<OperatorAction> change)
            throws SQLException {
        PreparedStatement begin = session.prepare(BEGIN);
        begin.setString(1, command.id());
        begin.setString(2, command.operator());
        begin.setString(3, command.origin());
        begin.setString(4, command.about());
        begin.setString(5, action);
        begin.setLong(6, Micros.of(now));
        begin.setLong(7, Micros.of(now));
        begin.executeUpdate();
        PreparedStatement find = session.prepare(FIND + session.dialect().forUpdate);
        find.setString(1, command.id());
        OperatorAction changed = change.apply(rows(find).get(0));
        PreparedStatement update = session.prepare(CHANGE);
        update.setLong(1, Micros.of(changed.updated()));
        update.setString(2, changed.outcome());
        update.setLong(3, changed.letters());
        update.setString(4, CauseLines.write(changed.causes()));
        update.setString(5, command.id());
        update.executeUpdate();
    }

    static List<OperatorAction> newest(SqlSession session, ActionFilter filter, int limit) throws SQLException {
        List<String> conditions = new ArrayList<>(List.of("TRUE"));
        List<Object> values = new ArrayList<>();
        filter.operator().ifPresent(value -> add("operator = ?", value, conditions, values));
        filter.action().ifPresent(value -> add("action = ?", value, conditions, values));
        filter.since().ifPresent(value -> add("at >= ?", Micros.of(value), conditions, values));
        filter.until().ifPresent(value -> add("at < ?", Micros.of(value), conditions, values));
        filter.after().ifPresent(value -> add(BEHIND, value, conditions, values));
        values.add(limit);
        PreparedStatement newest =
                session.prepare(COLUMNS + "WHERE " + String.join(" AND ", conditions) + " ORDER BY id DESC LIMIT ?");
        for (int i = 0; i < values.size(); i++) {
            newest.setObject(i + 1, values.get(i));
        }
        return rows(newest);
    }

    private static void add(String condition, Object value, List<String> conditions, List<Object> values) {
        conditions.add(condition);
        values.add(value);
    }

    private static List<OperatorAction> rows(PreparedStatement query) throws SQLException {
        List<OperatorAction> rows = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                OperatorCommand command =
                        new OperatorCommand(row.getString(1), row.getString(2), row.getString(3), row.getString(4));
                rows.add(new OperatorAction(
                        command,
                        row.getString(5),
                        Micros.toInstant(row.getLong(6)),
                        Micros.toInstant(row.getLong(7)),
                        row.getString(8),
                        row.getLong(9),
                        CauseLines.read(row.getString(10))));
            }
        }
        return rows;
    }
}

package io.redrive.jdbc;

import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveCauses;
import io.redrive.events.RedriveCounts;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePace;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.RedriveTimes;
import io.redrive.events.RedriveTurn;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The table of redrive operations, for both dialects. */
final class RedriveOperationRows {

    private static final String COLUMNS = "SELECT * FROM redrive.redrive_operations ";

    /** Followed by {@link Dialect#forUpdate}. */
    static final String BY_ID = COLUMNS + "WHERE id = ? AND dismissed = 0 ";

    static final String NEWEST = COLUMNS + "WHERE dismissed = 0 ORDER BY number DESC LIMIT ?";

    private static final String IS_SENDING =
            "state IN ('running', 'paused') AND dismissed = 0 AND selected > redriven + gone ";

    /** Operations that were started after a given start and have letters to send. */
    static final String SENDING = COLUMNS + "WHERE " + IS_SENDING + "AND start > ? ORDER BY number";

    static final String COUNT_SENDING = "SELECT count(*) FROM redrive.redrive_operations WHERE " + IS_SENDING;

    /**
     * The operation that is due first; a turn further away than the longest wait was set by a clock that has been set
     * back. Followed by {@link Dialect#forUpdateSkipLocked}: a node leaves an operation alone while another node takes a
     * turn of it.
     */
    static final String DUE =
            COLUMNS + "WHERE next_turn IS NOT NULL AND (next_turn <= ? OR next_turn > ?) ORDER BY next_turn LIMIT 1";

    static final String NEXT_TURNS =
            "SELECT min(next_turn), max(next_turn) FROM redrive.redrive_operations" + " WHERE next_turn IS NOT NULL";

    private static final String BEGIN = """
        INSERT INTO redrive.redrive_operations (
            id, operator, origin, about, stages, per_second, stage_limit, most,
            last_letter, selected_up_to, starts_before, created_at, changed_at, state, sent_up_to, looked_up_to)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?,
            (SELECT coalesce(max(id), 0) FROM redrive.dead_letters), 0,
            (SELECT coalesce(max(start), 0) FROM redrive.redrive_operations), ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING
        """;

    private static final String UPDATE = """
        UPDATE redrive.redrive_operations
        SET operator = ?, origin = ?, state = ?, why = ?, halted_by = ?,
            selected = ?, redriven = ?, done = ?, dead_again = ?, gone = ?, causes = ?, returned = ?,
            stage = ?, sent_in_stage = ?, stage_end = ?, next_send = ?, next_look = ?, sent_up_to = ?, looked_up_to = ?,
            started_at = ?, ended_at = ?, changed_at = ?, runner = ?, next_turn = ?
        WHERE number = ?
        """;

    static final String SELECTED_UP_TO = "UPDATE redrive.redrive_operations SET selected_up_to = ? WHERE number = ?";

    static final String START = """
        UPDATE redrive.redrive_operations
        SET start = (SELECT coalesce(max(start), 0) + 1 FROM redrive.redrive_operations)
        WHERE number = ?
        """;

    static final String DISMISS =
            "UPDATE redrive.redrive_operations SET dismissed = 1, next_turn = NULL WHERE number = ?";

    /** Operations beyond a number of kept ones: the oldest of those that have ended. */
    static final String DISMISS_OLDEST = """
        UPDATE redrive.redrive_operations SET dismissed = 1, next_turn = NULL
        WHERE number = (
                SELECT min(number) FROM redrive.redrive_operations
                WHERE state IN ('finished', 'halted', 'cancelled') AND dismissed = 0)
            AND (SELECT count(*) FROM redrive.redrive_operations WHERE dismissed = 0) > ?
        """;

    static final String DISMISS_ABANDONED = """
        UPDATE redrive.redrive_operations SET dismissed = 1
        WHERE state IN ('selecting', 'previewed') AND dismissed = 0 AND created_at < ?
        """;

    static final String HAS_SWEEP = """
        SELECT count(*) FROM redrive.redrive_operations
        WHERE dismissed = 1 OR state IN ('selecting', 'previewed') AND created_at < ?
        """;

    static final String DISMISSED = "SELECT min(number) FROM redrive.redrive_operations WHERE dismissed = 1";

    static final String REMOVE_LETTERS = """
        DELETE FROM redrive.redrive_letters
        WHERE operation = ? AND letter IN (
            SELECT letter FROM redrive.redrive_letters WHERE operation = ? ORDER BY letter LIMIT ?)
        """;

    static final String REMOVE = "DELETE FROM redrive.redrive_operations WHERE number = ?";

    private RedriveOperationRows() {}

    /**
     * An operation with the numbers of its preview.
     *
     * @param number the key of the row
     * @param lastLetter the highest letter when the preview began
     * @param selectedUpTo the highest selected letter
     * @param startsBefore the number of the last start when the preview began
     */
    record Stored(long number, RedriveOperation operation, long lastLetter, long selectedUpTo, long startsBefore) {}

    static void begin(SqlSession session, RedriveOrder order, Instant now) throws SQLException {
        PreparedStatement begin = session.prepare(BEGIN);
        begin.setString(1, order.id());
        begin.setString(2, order.command().operator());
        begin.setString(3, order.command().origin());
        begin.setString(4, order.command().about());
        begin.setString(5, order.plan().stages().stream().map(String::valueOf).collect(Collectors.joining(",")));
        begin.setDouble(6, order.plan().perSecond());
        begin.setLong(7, order.plan().stageLimit().toNanos() / 1_000);
        begin.setLong(8, order.plan().limit());
        begin.setLong(9, Micros.of(now));
        begin.setLong(10, Micros.of(now));
        begin.setString(11, new RedriveState.Selecting().code());
        begin.setLong(12, RedrivePace.BEGIN.sentUpTo());
        begin.setLong(13, RedrivePace.BEGIN.lookedUpTo());
        begin.executeUpdate();
    }

    static Optional<Stored> find(SqlSession session, String id) throws SQLException {
        return byId(session, BY_ID, id);
    }

    static Optional<Stored> locked(SqlSession session, String id) throws SQLException {
        return byId(session, BY_ID + session.dialect().forUpdate, id);
    }

    private static Optional<Stored> byId(SqlSession session, String sql, String id) throws SQLException {
        PreparedStatement find = session.prepare(sql);
        find.setString(1, id);
        return read(find).stream().findFirst();
    }

    static List<Stored> read(PreparedStatement query) throws SQLException {
        List<Stored> found = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                found.add(new Stored(
                        row.getLong("number"),
                        operation(row),
                        row.getLong("last_letter"),
                        row.getLong("selected_up_to"),
                        row.getLong("starts_before")));
            }
        }
        return found;
    }

    private static RedriveOperation operation(ResultSet row) throws SQLException {
        return new RedriveOperation(
                new OperatorCommand(
                        row.getString("id"),
                        row.getString("operator"),
                        row.getString("origin"),
                        row.getString("about")),
                new RedrivePlan(
                        stages(row.getString("stages")),
                        row.getDouble("per_second"),
                        Micros.toDuration(row.getLong("stage_limit")),
                        row.getLong("most")),
                RedriveState.of(row.getString("state"), row.getString("why"), lines(row.getString("halted_by"))),
                new RedriveCounts(
                        row.getLong("selected"),
                        row.getLong("redriven"),
                        row.getLong("done"),
                        row.getLong("dead_again"),
                        row.getLong("gone")),
                new RedriveCauses(CauseLines.read(row.getString("causes")), CauseLines.read(row.getString("returned"))),
                new RedrivePace(
                        row.getInt("stage"),
                        row.getLong("sent_in_stage"),
                        Micros.toInstant(row.getLong("stage_end")),
                        Micros.toInstant(row.getLong("next_send")),
                        Micros.toInstant(row.getLong("next_look")),
                        row.getLong("sent_up_to"),
                        row.getLong("looked_up_to")),
                new RedriveTimes(
                        Micros.toInstant(row.getLong("created_at")),
                        time(row, "started_at"),
                        time(row, "ended_at"),
                        Micros.toInstant(row.getLong("changed_at"))),
                row.getString("runner"));
    }

    private static List<Integer> stages(String joined) {
        return joined.isEmpty()
                ? List.of()
                : Arrays.stream(joined.split(",")).map(Integer::valueOf).toList();
    }

    private static Set<String> lines(String joined) {
        return new LinkedHashSet<>(joined.lines().toList());
    }

    private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Micros.toInstant(micros));
    }

    /** Writes the changed operation, and when its next turn is due. */
    static void update(SqlSession session, long number, RedriveOperation operation, Instant now) throws SQLException {
        PreparedStatement update = session.prepare(UPDATE);
        int at = bindState(update, operation);
        RedrivePace pace = operation.pace();
        update.setInt(at++, pace.stage());
        update.setLong(at++, pace.sentInStage());
        update.setLong(at++, Micros.of(pace.stageEnd()));
        update.setLong(at++, Micros.of(pace.nextSend()));
        update.setLong(at++, Micros.of(pace.nextLook()));
        update.setLong(at++, pace.sentUpTo());
        update.setLong(at++, pace.lookedUpTo());
        bind(update, at++, operation.times().started());
        bind(update, at++, operation.times().ended());
        update.setLong(at++, Micros.of(operation.times().changed()));
        update.setString(at++, operation.runner());
        bind(update, at++, RedriveTurn.next(operation, now));
        update.setLong(at, number);
        update.executeUpdate();
    }

    private static int bindState(PreparedStatement update, RedriveOperation operation) throws SQLException {
        int at = 1;
        update.setString(at++, operation.command().operator());
        update.setString(at++, operation.command().origin());
        update.setString(at++, operation.state().code());
        boolean halted = operation.state() instanceof RedriveState.Halted;
        update.setString(at++, halted ? ((RedriveState.Halted) operation.state()).why() : "");
        update.setString(
                at++, halted ? String.join("\n", ((RedriveState.Halted) operation.state()).fingerprints()) : "");
        RedriveCounts counts = operation.counts();
        update.setLong(at++, counts.selected());
        update.setLong(at++, counts.redriven());
        update.setLong(at++, counts.done());
        update.setLong(at++, counts.deadAgain());
        update.setLong(at++, counts.gone());
        update.setString(at++, CauseLines.write(operation.causes().selected()));
        update.setString(at++, CauseLines.write(operation.causes().returned()));
        return at;
    }

    private static void bind(PreparedStatement update, int parameter, Optional<Instant> time) throws SQLException {
        if (time.isPresent()) {
            update.setLong(parameter, Micros.of(time.get()));
        } else {
            update.setNull(parameter, Types.BIGINT);
        }
    }
}

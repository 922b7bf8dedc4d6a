package io.redrive.jdbc;

import io.redrive.events.AttemptRecord;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.RedriveRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What operators change, each inside the writer's transaction and together with its line in the record of actions. */
final class SqliteLetterWrites {

    private SqliteLetterWrites() {}

    static boolean edit(SqliteSession session, long id, byte[] payload, String operator, Instant now)
            throws SQLException {
        PreparedStatement edit = session.prepare(SqliteLetterSql.EDIT);
        edit.setLong(1, id);
        edit.setBytes(2, payload);
        if (edit.executeUpdate() == 0) {
            return false;
        }
        record(session, new OperatorAction(now, operator, "edit", "payload of letter " + id, 1));
        return true;
    }

    static int redrive(SqliteSession session, RedriveRequest request) throws SQLException {
        List<Long> ids = select(session, request.filter(), request.limit());
        PreparedStatement revive = session.prepare(SqliteLetterSql.REVIVE);
        for (long id : ids) {
            revive.setLong(1, id);
            revive.setLong(2, session.nextPosition());
            revive.setLong(3, Micros.of(request.now()));
            revive.setInt(4, request.automatic() ? 1 : 0);
            revive.setString(5, request.batch());
            revive.executeUpdate();
        }
        delete(session, SqliteLetterSql.DELETE, ids);
        recordIfAny(
                session,
                new OperatorAction(
                        request.now(), request.operator(), "redrive", "batch " + request.batch(), ids.size()));
        return ids.size();
    }

    static int purge(SqliteSession session, LetterFilter filter, int limit, OperatorAction action) throws SQLException {
        List<Long> ids = select(session, filter, limit);
        delete(session, SqliteLetterSql.DELETE_HISTORY, ids);
        delete(session, SqliteLetterSql.DELETE, ids);
        recordIfAny(session, withLetters(action, ids.size()));
        return ids.size();
    }

    static int importAll(SqliteSession session, List<DeadLetter> letters, OperatorAction action) throws SQLException {
        int taken = 0;
        for (DeadLetter letter : letters) {
            if (!isLetter(session, letter.event())) {
                importOne(session, letter);
                taken++;
            }
        }
        recordIfAny(session, withLetters(action, taken));
        return taken;
    }

    static void record(SqliteSession session, OperatorAction action) throws SQLException {
        PreparedStatement record = session.prepare(SqliteLetterSql.RECORD_ACTION);
        record.setLong(1, Micros.of(action.at()));
        record.setString(2, action.operator());
        record.setString(3, action.action());
        record.setString(4, action.detail());
        record.setLong(5, action.letters());
        record.executeUpdate();
    }

    /** An automatic redrive that found nothing every hour would drown what operators did. */
    private static void recordIfAny(SqliteSession session, OperatorAction action) throws SQLException {
        if (action.letters() > 0) {
            record(session, action);
        }
    }

    private static OperatorAction withLetters(OperatorAction action, int letters) {
        return new OperatorAction(action.at(), action.operator(), action.action(), action.detail(), letters);
    }

    private static List<Long> select(SqliteSession session, LetterFilter filter, int limit) throws SQLException {
        LetterConditions conditions = new LetterConditions(filter);
        PreparedStatement select = session.prepare(conditions.in(SqliteLetterSql.SELECT_IDS));
        select.setInt(conditions.bind(select, 1), limit);
        List<Long> ids = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                ids.add(row.getLong(1));
            }
        }
        return ids;
    }

    private static void delete(SqliteSession session, String sql, List<Long> ids) throws SQLException {
        if (!ids.isEmpty()) {
            PreparedStatement delete = session.prepare(sql);
            delete.setString(1, ids.toString());
            delete.executeUpdate();
        }
    }

    private static boolean isLetter(SqliteSession session, Event event) throws SQLException {
        PreparedStatement find = session.prepare(SqliteLetterSql.HAS_EVENT);
        find.setString(1, event.id());
        find.setString(2, EventRows.correlationId(event));
        try (ResultSet row = find.executeQuery()) {
            return row.next();
        }
    }

    /** An origin of its own keeps its history apart from that of events published here. */
    private static void importOne(SqliteSession session, DeadLetter letter) throws SQLException {
        long origin = session.nextPosition();
        PreparedStatement insert = session.prepare(SqliteLetterSql.IMPORT);
        int at = 0;
        insert.setLong(++at, origin);
        insert.setString(++at, letter.reason().code());
        insert.setString(++at, letter.errorType());
        insert.setString(++at, letter.lastError());
        insert.setString(++at, letter.fingerprint());
        insert.setString(++at, letter.service());
        insert.setInt(++at, letter.attempts().failed());
        insert.setInt(++at, letter.attempts().interrupted());
        insert.setInt(++at, letter.attempts().crashed());
        insert.setInt(++at, letter.redrives());
        insert.setInt(++at, letter.automaticRedrives());
        insert.setLong(++at, Micros.of(letter.deadAt()));
        Event event = letter.event();
        insert.setString(++at, event.id());
        insert.setString(++at, EventRows.correlationId(event));
        insert.setString(++at, event.name());
        insert.setString(++at, event.source());
        insert.setInt(++at, event.priority().ordinal());
        insert.setString(++at, event.orderingKey().orElse(null));
        insert.setString(++at, event.contentType());
        insert.setString(++at, HeaderJson.write(event.headers()));
        insert.setLong(++at, Micros.of(event.created()));
        insert.setLong(++at, Micros.of(event.due()));
        EventRows.bindInstant(insert, ++at, event.deadline());
        insert.setBytes(++at, letter.originalPayload().orElse(null));
        insert.setBytes(++at, event.payload());
        insert.executeUpdate();
        importHistory(session, origin, letter.history());
    }

    private static void importHistory(SqliteSession session, long origin, List<AttemptRecord> history)
            throws SQLException {
        PreparedStatement insert = session.prepare(SqliteLetterSql.IMPORT_ATTEMPT);
        for (AttemptRecord attempt : history) {
            insert.setLong(1, origin);
            EventRows.bindAttempt(insert, attempt);
            insert.executeUpdate();
        }
    }
}

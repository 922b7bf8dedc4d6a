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

/** What operators change, each inside one transaction and together with its line in the record of actions. */
final class LetterWrites {

    private LetterWrites() {}

    static boolean edit(LetterSession session, long id, byte[] payload, String operator, Instant now)
            throws SQLException {
        PreparedStatement edit = session.prepare(LetterSql.EDIT);
        edit.setBytes(1, payload);
        edit.setLong(2, id);
        if (edit.executeUpdate() == 0) {
            return false;
        }
        record(session, new OperatorAction(now, operator, "edit", "payload of letter " + id, 1));
        return true;
    }

    static int redrive(LetterSession session, RedriveRequest request) throws SQLException {
        List<Long> ids = select(session, request.filter(), request.limit());
        if (!ids.isEmpty()) {
            session.revive(ids, request);
        }
        recordIfAny(
                session,
                new OperatorAction(
                        request.now(), request.operator(), "redrive", "batch " + request.batch(), ids.size()));
        return ids.size();
    }

    static int purge(LetterSession session, LetterFilter filter, int limit, OperatorAction action) throws SQLException {
        List<Long> ids = select(session, filter, limit);
        delete(session, LetterSql.DELETE_HISTORY, ids);
        delete(session, LetterSql.DELETE, ids);
        recordIfAny(session, withLetters(action, ids.size()));
        return ids.size();
    }

    static int importAll(LetterSession session, List<DeadLetter> letters, OperatorAction action) throws SQLException {
        session.lockImports();
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

    static void record(LetterSession session, OperatorAction action) throws SQLException {
        PreparedStatement record = session.prepare(LetterSql.RECORD_ACTION);
        record.setLong(1, Micros.of(action.at()));
        record.setString(2, action.operator());
        record.setString(3, action.action());
        record.setString(4, action.detail());
        record.setLong(5, action.letters());
        record.executeUpdate();
    }

    /** An automatic redrive that found nothing every hour would drown what operators did. */
    private static void recordIfAny(LetterSession session, OperatorAction action) throws SQLException {
        if (action.letters() > 0) {
            record(session, action);
        }
    }

    private static OperatorAction withLetters(OperatorAction action, int letters) {
        return new OperatorAction(action.at(), action.operator(), action.action(), action.detail(), letters);
    }

    private static List<Long> select(LetterSession session, LetterFilter filter, int limit) throws SQLException {
        LetterConditions conditions = new LetterConditions(filter, session.dialect());
        PreparedStatement select = session.prepare(conditions.in(LetterSql.SELECT_IDS) + session.dialect().forUpdate);
        select.setInt(conditions.bind(select, 1), limit);
        List<Long> ids = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                ids.add(row.getLong(1));
            }
        }
        return ids;
    }

    static void delete(LetterSession session, String sql, List<Long> ids) throws SQLException {
        if (!ids.isEmpty()) {
            LetterConditions chosen = new LetterConditions(LetterFilter.ofIds(ids), session.dialect());
            PreparedStatement delete = session.prepare(chosen.in(sql));
            chosen.bind(delete, 1);
            delete.executeUpdate();
        }
    }

    private static boolean isLetter(LetterSession session, Event event) throws SQLException {
        PreparedStatement find = session.prepare(LetterSql.HAS_EVENT);
        find.setString(1, event.id());
        find.setString(2, EventRows.correlationId(event));
        try (ResultSet row = find.executeQuery()) {
            return row.next();
        }
    }

    /** An origin of its own keeps its history apart from that of events published here. */
    private static void importOne(LetterSession session, DeadLetter letter) throws SQLException {
        long origin = session.nextPosition();
        PreparedStatement insert = session.prepare(LetterSql.IMPORT);
        EventRows.bindLetter(insert, origin, letter);
        insert.executeUpdate();
        importHistory(session, origin, letter.history());
    }

    private static void importHistory(LetterSession session, long origin, List<AttemptRecord> history)
            throws SQLException {
        PreparedStatement insert = session.prepare(LetterSql.IMPORT_ATTEMPT);
        for (AttemptRecord attempt : history) {
            insert.setLong(1, origin);
            EventRows.bindAttempt(insert, attempt);
            insert.executeUpdate();
        }
    }
}

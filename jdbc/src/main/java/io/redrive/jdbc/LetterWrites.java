package io.redrive.jdbc;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Changes dead letters. Each call is one transaction and includes its row in the record of actions. */
final class LetterWrites {

    private LetterWrites() {}

    static boolean edit(LetterSession session, long id, byte[] payload, OperatorCommand command, Instant now)
            throws SQLException {
        Selected selected = select(session, LetterFilter.ofIds(List.of(id)), 1);
        PreparedStatement edit = session.prepare(LetterSql.EDIT);
        edit.setBytes(1, payload);
        edit.setLong(2, id);
        if (edit.executeUpdate() == 0) {
            return false;
        }
        ActionRows.add(session, command.describing("payload of letter " + id), "edit", selected.causes(), now);
        return true;
    }

    static int redrive(LetterSession session, RedriveRequest request) throws SQLException {
        Selected selected = select(session, request.filter(), request.limit());
        if (!selected.ids().isEmpty()) {
            session.revive(selected.ids(), request);
        }
        OperatorCommand command = request.command().describing(request.filter().describe());
        ActionRows.add(session, command, "redrive", selected.causes(), request.now());
        return selected.ids().size();
    }

    static int purge(LetterSession session, LetterFilter filter, int limit, OperatorCommand command, Instant now)
            throws SQLException {
        Selected selected = select(session, filter, limit);
        delete(session, LetterSql.DELETE_HISTORY, selected.ids());
        session.forgetKeys(selected.ids());
        delete(session, LetterSql.DELETE, selected.ids());
        ActionRows.add(session, command.describing(filter.describe()), "purge", selected.causes(), now);
        return selected.ids().size();
    }

    static int importAll(LetterSession session, List<DeadLetter> letters, OperatorCommand command, Instant now)
            throws SQLException {
        session.lockImports();
        Set<List<String>> known = new HashSet<>(
                session.known(letters.stream().map(DeadLetter::event).toList()));
        Map<String, String> filed = CauseRows.filedUnder(
                session, letters.stream().map(DeadLetter::fingerprint).toList());
        List<DeadLetter> fresh = letters.stream()
                .filter(letter -> known.add(key(letter.event())))
                .map(letter -> letter.withFingerprint(filed.getOrDefault(letter.fingerprint(), letter.fingerprint())))
                .toList();
        if (!fresh.isEmpty()) {
            CauseRows.imported(session, fresh);
            // Each letter gets a new origin, which keeps its history apart from events published in this store.
            session.insert(fresh, session.nextPositions(fresh.size()));
        }
        Map<String, Long> causes = new HashMap<>();
        fresh.forEach(letter -> causes.merge(letter.fingerprint(), 1L, Long::sum));
        ActionRows.add(session, command, "import", causes, now);
        return fresh.size();
    }

    /** The identity of an event: id and correlation id. */
    static List<String> key(Event event) {
        return List.of(event.id(), EventRows.correlationId(event));
    }

    /** Letters chosen by a filter, and the number of letters by cause. */
    private record Selected(List<Long> ids, Map<String, Long> causes) {}

    private static Selected select(LetterSession session, LetterFilter filter, int limit) throws SQLException {
        LetterConditions conditions = new LetterConditions(filter, session.dialect());
        PreparedStatement select =
                session.prepare(conditions.in(LetterSql.SELECT_CAUSES) + session.dialect().forUpdate);
        select.setInt(conditions.bind(select, 1), limit);
        Selected selected = new Selected(new ArrayList<>(), new HashMap<>());
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                selected.ids().add(row.getLong(1));
                selected.causes().merge(row.getString(2), 1L, Long::sum);
            }
        }
        return selected;
    }

    static void delete(LetterSession session, String sql, List<Long> ids) throws SQLException {
        if (!ids.isEmpty()) {
            LetterConditions chosen = new LetterConditions(LetterFilter.ofIds(ids), session.dialect());
            PreparedStatement delete = session.prepare(chosen.in(sql));
            chosen.bind(delete, 1);
            delete.executeUpdate();
        }
    }
}

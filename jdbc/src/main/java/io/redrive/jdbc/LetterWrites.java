package io.redrive.jdbc;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PayloadChange;
import io.redrive.events.RedriveRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Changes dead letters. Each call is one transaction and includes its row in the record of actions. */
final class LetterWrites {

    private LetterWrites() {}

    static boolean edit(LetterSession session, long id, byte[] payload, OperatorCommand command, Instant now)
            throws SQLException {
        Selected selected = select(session, LetterFilter.ofIds(List.of(id)), 1);
        if (selected.ids().isEmpty()) {
            return false;
        }
        VersionRows.edit(session, id, payload, command, now);
        ActionRows.add(session, command.describing("payload of letter " + id), "edit", selected.causes(), now);
        return true;
    }

    static Set<Long> replace(
            LetterSession session, List<PayloadChange> changes, String action, OperatorCommand command, Instant now)
            throws SQLException {
        if (changes.isEmpty()) {
            return Set.of();
        }
        List<Long> ids = changes.stream().map(PayloadChange::letter).toList();
        Selected selected = select(session, LetterFilter.ofIds(ids), ids.size());
        Set<Long> changed = VersionRows.change(session, changes, action, command, now);
        ActionRows.add(session, command, action, selected.only(changed).causes(), now);
        return changed;
    }

    static int redrive(LetterSession session, RedriveRequest request) throws SQLException {
        return revive(session, request).size();
    }

    /** Redrives the letters of a request and returns the new position of each letter's event. */
    static Map<Long, Long> revive(LetterSession session, RedriveRequest request) throws SQLException {
        Selected selected = select(session, request.filter().forRedrive(), request.limit());
        delete(session, VersionRows.FORGET, selected.ids());
        Map<Long, Long> revived = new HashMap<>();
        if (!selected.ids().isEmpty()) {
            RedriveLetterRows.leaving(session, selected.ids());
            List<Long> positions = session.nextPositions(selected.ids().size());
            session.revive(selected.ids(), positions, request);
            for (int i = 0; i < positions.size(); i++) {
                revived.put(selected.ids().get(i), positions.get(i));
            }
        }
        OperatorCommand command = request.command().describing(request.filter().describe());
        ActionRows.add(session, command, "redrive", selected.causes(), request.now());
        return revived;
    }

    static int purge(LetterSession session, LetterFilter filter, int limit, OperatorCommand command, Instant now)
            throws SQLException {
        Selected selected = select(session, filter, limit);
        forget(session, selected.ids());
        ActionRows.add(session, command.describing(filter.describe()), "purge", selected.causes(), now);
        return selected.ids().size();
    }

    /** Deletes exported letters whose payload is still the exported one; their rows are locked before the look. */
    static int retire(LetterSession session, List<DeadLetter> exported, OperatorCommand command, Instant now)
            throws SQLException {
        Map<Long, DeadLetter> byId = new HashMap<>();
        exported.forEach(letter -> byId.put(letter.id(), letter));
        LetterFilter named = LetterFilter.ofIds(List.copyOf(byId.keySet()));
        Selected selected = select(session, named, byId.size());
        Set<Long> same = new HashSet<>();
        for (DeadLetter letter : LetterReads.list(session, named, 0, byId.size())) {
            DeadLetter copy = byId.get(letter.id());
            if (copy != null && letter.hasPayloadOf(copy)) {
                same.add(letter.id());
            }
        }
        Selected chosen = selected.only(same);
        forget(session, chosen.ids());
        ActionRows.add(session, command, "retire", chosen.causes(), now);
        return chosen.ids().size();
    }

    private static void forget(LetterSession session, List<Long> ids) throws SQLException {
        RedriveLetterRows.leaving(session, ids);
        delete(session, LetterSql.DELETE_HISTORY, ids);
        delete(session, VersionRows.FORGET, ids);
        session.forgetKeys(ids);
        delete(session, LetterSql.DELETE, ids);
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

    /** Letters chosen by a filter, in the order of their ids, each with its cause. */
    private record Selected(Map<Long, String> letters) {

        List<Long> ids() {
            return List.copyOf(letters.keySet());
        }

        /** Returns the number of letters by cause. */
        Map<String, Long> causes() {
            return letters.values().stream().collect(Collectors.groupingBy(cause -> cause, Collectors.counting()));
        }

        Selected only(Set<Long> some) {
            Map<Long, String> kept = new LinkedHashMap<>(letters);
            kept.keySet().retainAll(some);
            return new Selected(kept);
        }
    }

    private static Selected select(LetterSession session, LetterFilter filter, int limit) throws SQLException {
        LetterConditions conditions = new LetterConditions(filter, session.dialect());
        PreparedStatement select =
                session.prepare(conditions.in(LetterSql.SELECT_CAUSES) + session.dialect().forUpdate);
        select.setInt(conditions.bind(select, 1), limit);
        Map<Long, String> letters = new LinkedHashMap<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                letters.put(row.getLong(1), row.getString(2));
            }
        }
        return new Selected(letters);
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

package io.redrive.jdbc;

import io.redrive.events.DeadLetter;
import io.redrive.events.LetterVersion;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PayloadChange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The payloads of letters and their versions, for both dialects. Callers hold the locks of the letters. */
final class VersionRows {

    private static final String KEEP = """
        INSERT INTO redrive.letter_versions (letter, version, at, action, command, operator, payload)
        SELECT
            id, 1 + coalesce((SELECT max(version) FROM redrive.letter_versions WHERE letter = id), 0), ?, ?, ?, ?, payload
        FROM redrive.dead_letters
        """;

    /** An edit that leaves the payload as it is keeps no version. */
    private static final String KEEP_FOR_EDIT = KEEP + "WHERE id = ? AND payload <> ?";

    private static final String KEEP_FOR_CHANGE = KEEP + "WHERE id = ? AND payload = ?";

    private static final String FORGET_OLDEST = """
        DELETE FROM redrive.letter_versions
        WHERE letter = ? AND version <= (SELECT max(version) FROM redrive.letter_versions WHERE letter = ?) - ?
        """;

    private static final String EDIT = """
        UPDATE redrive.dead_letters SET original_payload = coalesce(original_payload, payload), payload = ?
        WHERE id = ?
        """;

    private static final String HEADERS = "SELECT headers FROM redrive.dead_letters WHERE id = ? AND headers LIKE '%"
            + DeadLetter.REDACTED_HEADER + "%'";

    private static final String SET_HEADERS = "UPDATE redrive.dead_letters SET headers = ? WHERE id = ?";

    private static final String CHANGE = EDIT + " AND payload = ?";

    private static final String OF_LETTER = """
        SELECT version, payload, action, command, operator, at
        FROM redrive.letter_versions
        WHERE letter = ?
        ORDER BY version
        """;

    /** Runs before the letters are deleted. */
    static final String FORGET = """
        DELETE FROM redrive.letter_versions
        WHERE letter IN (SELECT id FROM redrive.dead_letters WHERE %s)
        """;

    private VersionRows() {}

    /** Replaces the payload of one letter. */
    static void edit(LetterSession session, long id, byte[] payload, OperatorCommand command, Instant now)
            throws SQLException {
        PreparedStatement keep = session.prepare(KEEP_FOR_EDIT);
        bindVersion(keep, "edit", command, now);
        keep.setLong(5, id);
        keep.setBytes(6, payload);
        keep.executeUpdate();
        PreparedStatement forget = session.prepare(FORGET_OLDEST);
        bindForget(forget, id);
        forget.executeUpdate();
        PreparedStatement edit = session.prepare(EDIT);
        edit.setBytes(1, payload);
        edit.setLong(2, id);
        edit.executeUpdate();
        unmark(session, id);
    }

    /** A payload that an operator wrote is whole: the mark of redacted parts loses the payload. */
    private static void unmark(LetterSession session, long id) throws SQLException {
        PreparedStatement find = session.prepare(HEADERS);
        find.setLong(1, id);
        Map<String, String> headers = new LinkedHashMap<>();
        try (ResultSet row = find.executeQuery()) {
            if (!row.next()) {
                return;
            }
            headers.putAll(StringMapJson.read(row.getString(1)));
        }
        String mark = headers.remove(DeadLetter.REDACTED_HEADER);
        if (mark != null) {
            DeadLetter.markAfterEdit(mark).ifPresent(rest -> headers.put(DeadLetter.REDACTED_HEADER, rest));
            PreparedStatement update = session.prepare(SET_HEADERS);
            update.setString(1, StringMapJson.write(headers));
            update.setLong(2, id);
            update.executeUpdate();
        }
    }

    /** Replaces payloads that are as expected, and returns the ids of the changed letters. */
    static Set<Long> change(
            LetterSession session, List<PayloadChange> changes, String action, OperatorCommand command, Instant now)
            throws SQLException {
        PreparedStatement keep = session.prepare(KEEP_FOR_CHANGE);
        PreparedStatement forget = session.prepare(FORGET_OLDEST);
        PreparedStatement update = session.prepare(CHANGE);
        for (PayloadChange change : changes) {
            bindVersion(keep, action, command, now);
            keep.setLong(5, change.letter());
            keep.setBytes(6, change.before());
            keep.addBatch();
            bindForget(forget, change.letter());
            forget.addBatch();
            update.setBytes(1, change.after());
            update.setLong(2, change.letter());
            update.setBytes(3, change.before());
            update.addBatch();
        }
        keep.executeBatch();
        forget.executeBatch();
        int[] updated = update.executeBatch();
        Set<Long> changed = new HashSet<>();
        for (int i = 0; i < updated.length; i++) {
            if (updated[i] > 0) {
                changed.add(changes.get(i).letter());
            }
        }
        return changed;
    }

    static List<LetterVersion> of(SqlSession session, long letter) throws SQLException {
        PreparedStatement find = session.prepare(OF_LETTER);
        find.setLong(1, letter);
        List<LetterVersion> versions = new ArrayList<>();
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                byte[] payload = row.getBytes(2);
                versions.add(new LetterVersion(
                        row.getInt(1),
                        // SQLite's driver returns an empty value as null.
                        payload == null ? new byte[0] : payload,
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        Micros.toInstant(row.getLong(6))));
            }
        }
        return versions;
    }

    private static void bindVersion(PreparedStatement keep, String action, OperatorCommand command, Instant now)
            throws SQLException {
        keep.setLong(1, Micros.of(now));
        keep.setString(2, action);
        keep.setString(3, command.id());
        keep.setString(4, command.operator());
    }

    private static void bindForget(PreparedStatement forget, long letter) throws SQLException {
        forget.setLong(1, letter);
        forget.setLong(2, letter);
        forget.setInt(3, LetterVersion.MAX_VERSIONS);
    }
}

package io.redrive.jdbc;

import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveRequest;
import io.redrive.events.RedriveTurn;
import io.redrive.events.RedrivenLetter;
import io.redrive.events.RedrivenLetter.Result;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The selections of redrive operations, for both dialects: a row for each letter, with its result. */
final class RedriveLetterRows {

    private static final String CANDIDATES = """
        SELECT id, origin, event_id, fingerprint FROM redrive.dead_letters
        WHERE id > ? AND id <= ? AND %s
        ORDER BY id
        LIMIT ?
        """;

    private static final String ADD =
            "INSERT INTO redrive.redrive_letters (operation, letter, origin, event_id) VALUES (?, ?, ?, ?)";

    /** The pending letters of active operations; {@code %s} restricts the letters by their ids. */
    static final String PENDING_ELSEWHERE = """
        SELECT pending.id, redrive_operations.id
        FROM (SELECT letter AS id, operation FROM redrive.redrive_letters WHERE result = 0) AS pending
        JOIN redrive.redrive_operations ON redrive_operations.number = pending.operation
        WHERE pending.%s AND redrive_operations.state IN ('running', 'paused')
        ORDER BY pending.id
        LIMIT 1
        """;

    private static final String LIST = """
        SELECT letter, event_id, result, cause FROM redrive.redrive_letters
        WHERE operation = ? AND letter > ?
        ORDER BY letter
        LIMIT ?
        """;

    static final String PENDING = """
        SELECT letter FROM redrive.redrive_letters
        WHERE operation = ? AND letter > ? AND result = 0
        ORDER BY letter
        LIMIT ?
        """;

    private static final String SENT =
            "UPDATE redrive.redrive_letters SET result = ?, seq = ? WHERE operation = ? AND letter = ?";

    private static final String ENDED =
            "UPDATE redrive.redrive_letters SET result = ?, cause = ? WHERE operation = ? AND letter = ?";

    /**
     * Events under way, by origin. One statement, so that an event is seen in one place only: in the queue, among the
     * dead letters, or in neither.
     */
    static final String UNDER_WAY = """
        SELECT letter, origin, cause,
            EXISTS (SELECT 1 FROM redrive.events WHERE events.seq = redrive_letters.seq),
            (SELECT fingerprint FROM redrive.dead_letters
                WHERE dead_letters.origin = redrive_letters.origin AND dead_letters.batch = ?)
        FROM redrive.redrive_letters
        WHERE operation = ? AND result = 1 AND origin > ?
        ORDER BY origin
        LIMIT ?
        """;

    /** A second death whose letter leaves before a look; {@code %s} restricts the letters. */
    static final String LEAVING = """
        UPDATE redrive.redrive_letters SET cause = leaving.fingerprint
        FROM (SELECT batch, origin, fingerprint FROM redrive.dead_letters WHERE batch IS NOT NULL AND %s) AS leaving
        JOIN redrive.redrive_operations ON redrive_operations.id = leaving.batch
        WHERE redrive_letters.operation = redrive_operations.number
            AND redrive_letters.origin = leaving.origin
            AND redrive_letters.result = 1
        """;

    private static final long NO_POSITION = 0;

    private RedriveLetterRows() {}

    /** A letter that may join a selection. */
    record Candidate(long letter, long origin, String eventId, String cause) {}

    /** Returns letters that the filter selects, between two ids; reads only. */
    static List<Candidate> candidates(SqlSession session, LetterFilter filter, long after, long upTo, int limit)
            throws SQLException {
        LetterConditions conditions = new LetterConditions(filter, session.dialect());
        PreparedStatement page = session.prepare(conditions.in(CANDIDATES));
        page.setLong(1, after);
        page.setLong(2, upTo);
        page.setInt(conditions.bind(page, 3), limit);
        List<Candidate> found = new ArrayList<>();
        try (ResultSet row = page.executeQuery()) {
            while (row.next()) {
                found.add(new Candidate(row.getLong(1), row.getLong(2), row.getString(3), row.getString(4)));
            }
        }
        return found;
    }

    /** A letter that is pending in another operation. */
    record Conflict(long letter, String operation) {}

    static Optional<Conflict> conflict(SqlSession session, List<Candidate> letters) throws SQLException {
        if (letters.isEmpty()) {
            return Optional.empty();
        }
        LetterConditions chosen = new LetterConditions(
                LetterFilter.ofIds(letters.stream().map(Candidate::letter).toList()), session.dialect());
        PreparedStatement find = session.prepare(chosen.in(PENDING_ELSEWHERE));
        chosen.bind(find, 1);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? Optional.of(new Conflict(row.getLong(1), row.getString(2))) : Optional.empty();
        }
    }

    static void add(SqlSession session, long operation, List<Candidate> letters) throws SQLException {
        PreparedStatement add = session.prepare(ADD);
        for (Candidate letter : letters) {
            add.setLong(1, operation);
            add.setLong(2, letter.letter());
            add.setLong(3, letter.origin());
            add.setString(4, letter.eventId());
            add.addBatch();
        }
        if (!letters.isEmpty()) {
            add.executeBatch();
        }
    }

    static List<RedrivenLetter> list(SqlSession session, long operation, long after, int limit) throws SQLException {
        PreparedStatement list = session.prepare(LIST);
        list.setLong(1, operation);
        list.setLong(2, after);
        list.setInt(3, limit);
        List<RedrivenLetter> letters = new ArrayList<>();
        try (ResultSet row = list.executeQuery()) {
            while (row.next()) {
                letters.add(new RedrivenLetter(
                        row.getLong(1), row.getString(2), Result.values()[row.getInt(3)], row.getString(4)));
            }
        }
        return letters;
    }

    /** Letters of redriven events leave: keeps the causes of those that no look has seen. */
    static void leaving(LetterSession session, List<Long> letters) throws SQLException {
        LetterWrites.delete(session, LEAVING, letters);
    }

    /** The letters of an operation during a turn. */
    record InTurn(LetterSession session, long number, RedriveOperation operation, Instant now)
            implements RedriveTurn.Letters<SQLException> {

        @Override
        public RedriveTurn.Sent send(int limit) throws SQLException {
            List<Long> pending = pending(limit);
            if (pending.isEmpty()) {
                return new RedriveTurn.Sent(0, 0, operation.pace().sentUpTo());
            }
            // The selection decided about redacted letters.
            LetterFilter chosen = LetterFilter.ofIds(pending).withRedacted(LetterFilter.Redacted.INCLUDED);
            Map<Long, Long> positions =
                    LetterWrites.revive(session, new RedriveRequest(chosen, limit, operation.command(), false, now));
            PreparedStatement sent = session.prepare(SENT);
            for (long letter : pending) {
                boolean gone = !positions.containsKey(letter);
                sent.setInt(1, (gone ? Result.GONE : Result.REDRIVEN).ordinal());
                sent.setLong(2, positions.getOrDefault(letter, NO_POSITION));
                sent.setLong(3, number);
                sent.setLong(4, letter);
                sent.addBatch();
            }
            sent.executeBatch();
            return new RedriveTurn.Sent(
                    positions.size(), pending.size() - positions.size(), pending.get(pending.size() - 1));
        }

        private List<Long> pending(int limit) throws SQLException {
            PreparedStatement find = session.prepare(PENDING);
            find.setLong(1, number);
            find.setLong(2, operation.pace().sentUpTo());
            find.setInt(3, limit);
            List<Long> letters = new ArrayList<>();
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    letters.add(row.getLong(1));
                }
            }
            return letters;
        }

        @Override
        public RedriveTurn.Looked look(long after, int limit) throws SQLException {
            PreparedStatement find = session.prepare(UNDER_WAY);
            find.setString(1, operation.id());
            find.setLong(2, number);
            find.setLong(3, after);
            find.setInt(4, limit);
            PreparedStatement ended = session.prepare(ENDED);
            int seen = 0;
            int done = 0;
            long upTo = after;
            Map<String, Long> deadAgain = new HashMap<>();
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    seen++;
                    upTo = row.getLong(2);
                    String dead = row.getString(5);
                    String cause = dead == null ? row.getString(3) : dead;
                    if (!cause.isEmpty()) {
                        deadAgain.merge(cause, 1L, Long::sum);
                        end(ended, row.getLong(1), Result.DEAD_AGAIN, cause);
                    } else if (!row.getBoolean(4)) {
                        done++;
                        end(ended, row.getLong(1), Result.DONE, "");
                    }
                }
            }
            if (done > 0 || !deadAgain.isEmpty()) {
                ended.executeBatch();
            }
            return new RedriveTurn.Looked(seen, done, deadAgain, seen == limit, upTo);
        }

        private void end(PreparedStatement ended, long letter, Result result, String cause) throws SQLException {
            ended.setInt(1, result.ordinal());
            ended.setString(2, cause);
            ended.setLong(3, number);
            ended.setLong(4, letter);
            ended.addBatch();
        }
    }
}

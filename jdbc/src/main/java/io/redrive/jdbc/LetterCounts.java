package io.redrive.jdbc;

import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts letters without reading them, from the counts by cause, name and reason that triggers keep. Filters by other
 * properties are answered by {@link LetterReads}, which reads the letters.
 *
 * <p>A filter with an end in time is answered too, because each preview of a command has one: the letters given up
 * after that end are subtracted. They are few while the end lies shortly before the present; otherwise the letters are read.
 */
final class LetterCounts {

    private static final int MOST_LATER_LETTERS = 10_000;

    private static final String SQLITE_KEPT = "SELECT fingerprint, name, reason, letters FROM redrive.letter_counts";

    private static final String POSTGRES_KEPT =
            SQLITE_KEPT + " UNION ALL SELECT fingerprint, name, reason, letters FROM redrive.letter_count_changes";

    private static final String SUBTRACT_LATER =
            " UNION ALL SELECT fingerprint, name, reason, -1 FROM redrive.dead_letters WHERE dead_at >= ?";

    private static final String LATER =
            "SELECT count(*) FROM (SELECT 1 FROM redrive.dead_letters WHERE dead_at >= ? LIMIT ?) AS later";

    private static final String COUNT = """
        WITH kept AS (%2$s)
        SELECT coalesce(sum(letters), 0) FROM kept WHERE %1$s
        """;

    private static final String COUNT_OF_CAUSES = """
        WITH kept AS (%2$s)
        SELECT fingerprint, sum(letters) FROM kept WHERE fingerprint IN (%1$s) GROUP BY fingerprint
        """;

    /** A row for each name and reason of the largest causes, with the id of the oldest letter and the time of the newest. */
    private static final String GROUPS = """
        WITH kept AS (%2$s),
        largest AS (
            SELECT fingerprint, sum(letters) AS total FROM kept
            WHERE %1$s
            GROUP BY fingerprint
            HAVING sum(letters) > 0
            ORDER BY total DESC, fingerprint
            LIMIT ?),
        counted AS (
            SELECT fingerprint, name, reason, total FROM kept JOIN largest USING (fingerprint)
            WHERE %1$s
            GROUP BY fingerprint, name, reason, total
            HAVING sum(letters) > 0)
        SELECT fingerprint, name, total,
            (SELECT id FROM redrive.dead_letters AS letter
                WHERE letter.fingerprint = counted.fingerprint AND letter.name = counted.name
                    AND letter.reason = counted.reason
                ORDER BY letter.dead_at, letter.id
                LIMIT 1),
            (SELECT max(dead_at) FROM redrive.dead_letters AS letter
                WHERE letter.fingerprint = counted.fingerprint AND letter.name = counted.name
                    AND letter.reason = counted.reason %3$s)
        FROM counted
        ORDER BY total DESC, fingerprint, name
        """;

    private static final String UNTIL = "AND letter.dead_at < ?";

    private static final String OLDEST =
            "SELECT id, fingerprint, dead_at, error_type, last_error FROM redrive.dead_letters WHERE %s ORDER BY dead_at, id";

    private final SqlSession session;
    private final LetterConditions conditions;
    private final List<Long> until;

    private LetterCounts(SqlSession session, LetterFilter filter) {
        this.session = session;
        conditions = new LetterConditions(filter.withTime(null, null), session.dialect());
        until = filter.until().map(Micros::of).stream().toList();
    }

    /** Returns true when the kept counts answer this filter. */
    static boolean answer(SqlSession session, LetterFilter filter) throws SQLException {
        LetterFilter answered = LetterFilter.ALL;
        if (filter.name().isPresent()) {
            answered = answered.withName(filter.name().get().text());
        }
        if (filter.reason().isPresent()) {
            answered = answered.withReason(filter.reason().get());
        }
        if (filter.fingerprint().isPresent()) {
            answered = answered.withFingerprint(filter.fingerprint().get());
        }
        if (filter.redacted().filter(LetterFilter.Redacted.INCLUDED::equals).isPresent()) {
            answered = answered.withRedacted(LetterFilter.Redacted.INCLUDED);
        }
        Instant end = filter.until().orElse(null);
        return answered.withTime(null, end).equals(filter) && (end == null || fewAreLater(session, end));
    }

    private static boolean fewAreLater(SqlSession session, Instant end) throws SQLException {
        PreparedStatement later = session.prepare(LATER);
        later.setLong(1, Micros.of(end));
        later.setInt(2, MOST_LATER_LETTERS);
        try (ResultSet row = later.executeQuery()) {
            row.next();
            return row.getLong(1) < MOST_LATER_LETTERS;
        }
    }

    static long count(SqlSession session, LetterFilter filter) throws SQLException {
        LetterCounts counts = new LetterCounts(session, filter);
        PreparedStatement count = session.prepare(counts.in(COUNT));
        counts.conditions.bind(count, counts.bindUntil(count, 1));
        try (ResultSet row = count.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Returns the number of letters of each of these causes that has any. */
    static Map<String, Long> ofCauses(SqlSession session, Collection<String> fingerprints) throws SQLException {
        Map<String, Long> found = new HashMap<>();
        CauseQuery.read(
                session,
                COUNT_OF_CAUSES.formatted("%s", kept(session)),
                fingerprints,
                row -> found.put(row.getString(1), row.getLong(2)));
        found.values().removeIf(letters -> letters == 0);
        return found;
    }

    /** Letters of one cause, as far as the kept counts tell. */
    private static final class Group {
        private final long count;
        private final Set<String> names = new HashSet<>();
        private long lastDead = Long.MIN_VALUE;

        Group(long count) {
            this.count = count;
        }
    }

    static List<LetterGroup> groups(SqlSession session, LetterFilter filter, int limit) throws SQLException {
        LetterCounts counts = new LetterCounts(session, filter);
        PreparedStatement query = session.prepare(counts.in(GROUPS));
        int next = counts.conditions.bind(query, counts.bindUntil(query, 1));
        query.setInt(next, limit);
        counts.bindUntil(query, counts.conditions.bind(query, next + 1));
        Map<String, Group> groups = new LinkedHashMap<>();
        List<Long> oldest = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                long count = row.getLong(3);
                Group group = groups.computeIfAbsent(row.getString(1), cause -> new Group(count));
                group.names.add(row.getString(2));
                oldest.add(row.getLong(4));
                group.lastDead = Math.max(group.lastDead, row.getLong(5));
            }
        }
        return groups.isEmpty() ? List.of() : counts.withOldest(groups, oldest);
    }

    /** Completes groups by their oldest letter; {@code oldest} has the oldest letter of each name and reason. */
    private List<LetterGroup> withOldest(Map<String, Group> groups, List<Long> oldest) throws SQLException {
        Map<String, LetterGroup> complete = new TreeMap<>();
        LetterConditions chosen = new LetterConditions(LetterFilter.ofIds(oldest), session.dialect());
        PreparedStatement find = session.prepare(chosen.in(OLDEST));
        chosen.bind(find, 1);
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                String fingerprint = row.getString(2);
                Group group = groups.get(fingerprint);
                if (group != null && !complete.containsKey(fingerprint)) {
                    complete.put(
                            fingerprint,
                            new LetterGroup(
                                    fingerprint,
                                    row.getString(4),
                                    row.getString(5),
                                    group.count,
                                    group.names.stream()
                                            .sorted()
                                            .limit(LetterGroup.MAX_NAMES)
                                            .toList(),
                                    Micros.toInstant(row.getLong(3)),
                                    Micros.toInstant(group.lastDead)));
                }
            }
        }
        return groups.keySet().stream().map(complete::get).toList();
    }

    private String in(String sql) {
        String counted = kept(session) + (until.isEmpty() ? "" : SUBTRACT_LATER);
        return conditions.in(sql, counted, until.isEmpty() ? "" : UNTIL);
    }

    private int bindUntil(PreparedStatement statement, int from) throws SQLException {
        int index = from;
        for (long end : until) {
            statement.setLong(index++, end);
        }
        return index;
    }

    static String kept(SqlSession session) {
        return session.dialect() == Dialect.SQLITE ? SQLITE_KEPT : POSTGRES_KEPT;
    }
}

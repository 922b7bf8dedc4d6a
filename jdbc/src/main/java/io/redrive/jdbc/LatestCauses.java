package io.redrive.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the causes seen last, day by day from the newest sighting on, so that the sightings of earlier days are not read. A
 * cause whose letters were imported, or whose sightings expired, counts as seen when it was first seen.
 */
final class LatestCauses {

    private static final String DAY_BEFORE = "SELECT max(day) FROM redrive.cause_sightings WHERE day < ?";

    private static final String OF_DAY = """
        SELECT fingerprint, last_at
        FROM (
            SELECT fingerprint, max(last_at) AS last_at FROM redrive.cause_sightings WHERE day = ? GROUP BY fingerprint) AS seen
        JOIN redrive.causes USING (fingerprint)
        WHERE merged_into IS NULL
        ORDER BY last_at DESC, fingerprint
        LIMIT ?
        """;

    /** A subquery in place of NOT EXISTS: the planner must not read all sightings for the few causes of an answer. */
    private static final String NEVER_SIGHTED = """
        SELECT fingerprint, first_seen_at FROM redrive.causes
        WHERE merged_into IS NULL AND first_seen_at >= ?
            AND (SELECT 1 FROM redrive.cause_sightings AS s WHERE s.fingerprint = causes.fingerprint LIMIT 1) IS NULL
        ORDER BY first_seen_at DESC, fingerprint
        LIMIT ?
        """;

    private final SqlSession session;
    private final int limit;
    private final Map<String, Long> seen = new LinkedHashMap<>();

    private LatestCauses(SqlSession session, int limit) {
        this.session = session;
        this.limit = limit;
    }

    /** Returns the fingerprints, the cause seen last first. */
    static List<String> fingerprints(SqlSession session, int limit) throws SQLException {
        LatestCauses latest = new LatestCauses(session, limit);
        latest.readSighted();
        latest.readNeverSighted();
        return latest.seen.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void readSighted() throws SQLException {
        PreparedStatement dayBefore = session.prepare(DAY_BEFORE);
        PreparedStatement ofDay = session.prepare(OF_DAY);
        for (long day = Long.MAX_VALUE; seen.size() < limit; ) {
            dayBefore.setLong(1, day);
            try (ResultSet row = dayBefore.executeQuery()) {
                row.next();
                day = row.getLong(1);
                if (row.wasNull()) {
                    return;
                }
            }
            ofDay.setLong(1, day);
            // Causes of later days may be among the first of this day.
            read(ofDay, limit + seen.size());
        }
    }

    /** Sighted causes are in time order by now: an earlier cause than the last one of them cannot be in the answer. */
    private void readNeverSighted() throws SQLException {
        PreparedStatement neverSighted = session.prepare(NEVER_SIGHTED);
        long earliest = seen.values().stream().skip(limit - 1).findFirst().orElse(Long.MIN_VALUE);
        neverSighted.setLong(1, earliest);
        read(neverSighted, limit);
    }

    private void read(PreparedStatement query, int most) throws SQLException {
        query.setInt(2, most);
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                seen.putIfAbsent(row.getString(1), row.getLong(2));
            }
        }
    }
}

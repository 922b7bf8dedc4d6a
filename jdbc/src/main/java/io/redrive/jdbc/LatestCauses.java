package io.redrive.jdbc;

import io.redrive.events.cause.CausePlace;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the causes seen last behind a place, day by day from the newest sighting on, so that the sightings of earlier days are not
 * read. A cause whose letters were imported, or whose sightings expired, counts as seen when it was first seen.
 */
final class LatestCauses {

    private static final String DAY_BEFORE = "SELECT max(day) FROM redrive.cause_sightings WHERE day < ?";

    private static final String OF_DAY = """
        SELECT fingerprint, last_at
        FROM (
            SELECT fingerprint, max(last_at) AS last_at FROM redrive.cause_sightings WHERE day = ? GROUP BY fingerprint) AS seen
        JOIN redrive.causes USING (fingerprint)
        WHERE merged_into IS NULL AND (last_at < ? OR last_at = ? AND fingerprint > ?)
            AND (SELECT 1 FROM redrive.cause_sightings AS s WHERE s.fingerprint = causes.fingerprint AND day > ? LIMIT 1) IS NULL
        ORDER BY last_at DESC, fingerprint
        LIMIT ?
        """;

    /** A subquery in place of NOT EXISTS: the planner must not read all sightings for the few causes of an answer. */
    private static final String NEVER_SIGHTED = """
        SELECT fingerprint, first_seen_at FROM redrive.causes
        WHERE merged_into IS NULL AND first_seen_at >= ?
            AND (first_seen_at < ? OR first_seen_at = ? AND fingerprint > ?)
            AND (SELECT 1 FROM redrive.cause_sightings AS s WHERE s.fingerprint = causes.fingerprint LIMIT 1) IS NULL
        ORDER BY first_seen_at DESC, fingerprint
        LIMIT ?
        """;

    private final SqlSession session;
    private final CausePlace after;
    private final int limit;
    private final Map<String, Long> seen = new LinkedHashMap<>();

    private LatestCauses(SqlSession session, CausePlace after, int limit) {
        this.session = session;
        this.after = after;
        this.limit = limit;
    }

    /** Returns the fingerprints, the cause seen last first. */
    static List<String> fingerprints(SqlSession session, CausePlace after, int limit) throws SQLException {
        LatestCauses latest = new LatestCauses(session, after, limit);
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
        long day = LocalDate.ofInstant(after.lastSeen(), ZoneOffset.UTC).toEpochDay() + 1;
        while (seen.size() < limit) {
            dayBefore.setLong(1, day);
            try (ResultSet row = dayBefore.executeQuery()) {
                row.next();
                day = row.getLong(1);
                if (row.wasNull()) {
                    return;
                }
            }
            ofDay.setLong(1, day);
            bindPlace(ofDay, 2);
            ofDay.setLong(5, day);
            ofDay.setInt(6, limit);
            read(ofDay);
        }
    }

    /** Sighted causes are in time order by now: an earlier cause than the last one of them cannot be in the answer. */
    private void readNeverSighted() throws SQLException {
        PreparedStatement neverSighted = session.prepare(NEVER_SIGHTED);
        long earliest = seen.values().stream().skip(limit - 1).findFirst().orElse(Long.MIN_VALUE);
        neverSighted.setLong(1, earliest);
        bindPlace(neverSighted, 2);
        neverSighted.setInt(5, limit);
        read(neverSighted);
    }

    private void bindPlace(PreparedStatement query, int from) throws SQLException {
        query.setLong(from, Micros.of(after.lastSeen()));
        query.setLong(from + 1, Micros.of(after.lastSeen()));
        query.setString(from + 2, after.fingerprint());
    }

    private void read(PreparedStatement query) throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                seen.put(row.getString(1), row.getLong(2));
            }
        }
    }
}

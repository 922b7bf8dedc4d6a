package io.redrive.jdbc;

import io.redrive.events.cause.CausePlace;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the causes seen last behind a place: reads the newest sightings, and earlier ones only until enough causes are found. An index
 * has the sightings by slots of ten minutes, so that most letters of a cause change no index. A cause whose letters were imported, or
 * whose sightings expired, counts as seen when it was first seen.
 */
final class LatestCauses {

    /** The length of a slot, in microseconds: an update of a sighting within its slot changes no index. */
    private static final long SLOT = 600_000_000L;

    static final long SLOTS_PER_DAY = 144;

    /** The sightings of the first step; each further step reads twice as many. */
    private static final int FIRST_STEP = 500;

    private static final int LARGEST_STEP = 1_000_000;

    /** Finds the slots of a step: parameters are the latest slot and the number of sightings. */
    private static final String STEP = """
        SELECT min(last_slot), max(last_slot)
        FROM (SELECT last_slot FROM redrive.cause_sightings WHERE last_slot <= ? ORDER BY last_slot DESC LIMIT ?) AS step
        """;

    /** The sum keeps the planner from the index of slots: the few later days of one cause are found by the primary key. */
    private static final String OF_STEP = """
        SELECT fingerprint, last_at
        FROM (
            SELECT fingerprint, max(last_at) AS last_at FROM redrive.cause_sightings
            WHERE last_slot BETWEEN ? AND ? GROUP BY fingerprint) AS seen
        JOIN redrive.causes USING (fingerprint)
        WHERE merged_into IS NULL AND (last_at < ? OR last_at = ? AND fingerprint > ?)
            AND (SELECT 1 FROM redrive.cause_sightings AS s
                WHERE s.fingerprint = causes.fingerprint AND day >= ? AND last_slot + 0 > ? LIMIT 1) IS NULL
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
        PreparedStatement step = session.prepare(STEP);
        PreparedStatement ofStep = session.prepare(OF_STEP);
        long latest = Math.floorDiv(Micros.of(after.lastSeen()), SLOT);
        for (int rows = FIRST_STEP; seen.size() < limit; rows = Math.min(2 * rows, LARGEST_STEP)) {
            step.setLong(1, latest);
            step.setInt(2, rows);
            long first;
            long last;
            try (ResultSet row = step.executeQuery()) {
                row.next();
                first = row.getLong(1);
                last = row.getLong(2);
                if (row.wasNull()) {
                    return;
                }
            }
            ofStep.setLong(1, first);
            ofStep.setLong(2, last);
            bindPlace(ofStep, 3);
            // A later sighting of the cause is of the day of its slot, or of a later one.
            ofStep.setLong(6, Math.floorDiv(last, SLOTS_PER_DAY));
            ofStep.setLong(7, last);
            ofStep.setInt(8, limit);
            read(ofStep);
            latest = first - 1;
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

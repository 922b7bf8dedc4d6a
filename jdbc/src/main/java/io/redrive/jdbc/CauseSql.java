package io.redrive.jdbc;

/** The statements on causes, common to both dialects. */
final class CauseSql {

    private static final String COLUMNS = """
        SELECT causes.fingerprint, error_type, example, first_seen_at, stance, resolved_at, fixed_in,
            ignored_until, ignored_letters, seen_before, owner, note, ticket, merged_into
        FROM redrive.causes
        """;

    /** Followed by {@link Dialect#forUpdate} where the cause will be changed. */
    static final String FIND = COLUMNS + "WHERE fingerprint = ? ";

    static final String DECIDED = COLUMNS + "WHERE stance > 0 AND merged_into IS NULL ORDER BY fingerprint LIMIT ?";

    static final String ASSIGNED = COLUMNS + "WHERE owner <> '' AND merged_into IS NULL ORDER BY fingerprint LIMIT ?";

    /** {@code %s} stands for the fingerprints. */
    static final String CHOSEN = COLUMNS + "WHERE fingerprint IN (%s)";

    /** {@code %s} stands for the fingerprints. */
    static final String SIGHTINGS = """
        SELECT fingerprint, day, name, version, letters, first_at, last_at FROM redrive.cause_sightings
        WHERE fingerprint IN (%s)
        ORDER BY fingerprint, day, name, version
        """;

    /** The cause that takes the letters of a cause. Followed by {@link Dialect#forShare}: a merge waits for the letter. */
    static final String MERGED_INTO = "SELECT merged_into FROM redrive.causes WHERE fingerprint = ? ";

    static final String ADD = """
        INSERT INTO redrive.causes (fingerprint, error_type, example, first_seen_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (fingerprint) DO NOTHING
        """;

    static final String COUNT = """
        INSERT INTO redrive.cause_sightings (fingerprint, day, name, version, letters, first_at, last_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (fingerprint, day, name, version)
        DO UPDATE SET letters = cause_sightings.letters + excluded.letters, last_at = excluded.last_at
        """;

    static final String CHANGE = """
        UPDATE redrive.causes SET stance = ?, resolved_at = ?, fixed_in = ?, ignored_until = ?, ignored_letters = ?,
            seen_before = ?, owner = ?, note = ?, ticket = ?
        WHERE fingerprint = ?
        """;

    /** Parameters: into, from, from. Causes merged into {@code from} earlier follow. */
    static final String MERGE = "UPDATE redrive.causes SET merged_into = ? WHERE fingerprint = ? OR merged_into = ?";

    /** Parameters: first seen, fingerprint, first seen. */
    static final String SEEN_EARLIER = """
        UPDATE redrive.causes SET first_seen_at = ? WHERE fingerprint = ? AND first_seen_at > ?
        """;

    /** Parameters: into, from. */
    static final String MOVE_SIGHTINGS = """
        INSERT INTO redrive.cause_sightings (fingerprint, day, name, version, letters, first_at, last_at)
        SELECT ?, day, name, version, letters, first_at, last_at FROM redrive.cause_sightings WHERE fingerprint = ?
        ON CONFLICT (fingerprint, day, name, version)
        DO UPDATE SET letters = cause_sightings.letters + excluded.letters,
            first_at = CASE WHEN excluded.first_at < cause_sightings.first_at
                THEN excluded.first_at ELSE cause_sightings.first_at END,
            last_at = CASE WHEN excluded.last_at > cause_sightings.last_at
                THEN excluded.last_at ELSE cause_sightings.last_at END
        """;

    static final String FORGET_SIGHTINGS = "DELETE FROM redrive.cause_sightings WHERE fingerprint = ?";

    /** Parameters: into, from, limit. */
    static final String MOVE_LETTERS = """
        UPDATE redrive.dead_letters SET fingerprint = ?
        WHERE id IN (SELECT id FROM redrive.dead_letters WHERE fingerprint = ? ORDER BY id LIMIT ?)
        """;

    static final String EXPIRE_SIGHTINGS = "DELETE FROM redrive.cause_sightings WHERE last_slot < ?";

    static final String EXPIRE_CAUSES = """
        DELETE FROM redrive.causes
        WHERE stance = 0 AND owner = '' AND note = '' AND ticket = '' AND merged_into IS NULL
            AND NOT EXISTS (SELECT 1 FROM redrive.cause_sightings AS s WHERE s.fingerprint = causes.fingerprint)
            AND NOT EXISTS (SELECT 1 FROM redrive.dead_letters AS d WHERE d.fingerprint = causes.fingerprint)
            AND NOT EXISTS (SELECT 1 FROM redrive.causes AS m WHERE m.merged_into = causes.fingerprint)
        """;

    private CauseSql() {}
}

package io.redrive.jdbc;

/**
 * The statements on dead letters common to both dialects; reviving letters differs. {@code %s} stands for the
 * conditions of a {@link LetterConditions}.
 */
final class LetterSql {

    /** The columns of {@link EventRows#letter}, followed by the origin. */
    private static final String COLUMNS = """
        SELECT event_id, correlation_id, name, source, priority, ordering_key, content_type, headers, created_at,
            due_at, deadline_at, payload,
            id, original_payload, reason, error_type, last_error, fingerprint, service,
            failed, interrupted, crashed, redrives, auto_redrives, dead_at, origin
        FROM redrive.dead_letters
        """;

    static final int ORIGIN_COLUMN = 26;

    static final String LIST = COLUMNS + "WHERE id > ? AND %s ORDER BY id LIMIT ?";
    static final String NEWEST = COLUMNS + "WHERE id < ? AND %s ORDER BY id DESC LIMIT ?";

    static final String COUNT = "SELECT count(*) FROM redrive.dead_letters WHERE %s";

    /** Error type and example come from the oldest letter. The conditions occur twice. */
    static final String GROUPS = """
        SELECT alike.fingerprint, oldest.error_type, oldest.last_error, alike.letters, alike.first, alike.last
        FROM (
            SELECT fingerprint, count(*) AS letters, min(dead_at) AS first, max(dead_at) AS last
            FROM redrive.dead_letters
            WHERE %1$s
            GROUP BY fingerprint
            ORDER BY letters DESC, fingerprint
            LIMIT ?) AS alike
        JOIN redrive.dead_letters AS oldest ON oldest.id = (
            SELECT min(id) FROM redrive.dead_letters
            WHERE fingerprint = alike.fingerprint AND dead_at = alike.first AND %1$s)
        ORDER BY alike.letters DESC, alike.fingerprint
        """;

    static final String GROUP_NAMES = """
        SELECT DISTINCT name FROM redrive.dead_letters
        WHERE fingerprint = ? AND %s
        ORDER BY name
        LIMIT ?
        """;

    /** The attempts of all letters on the page which {@link #LIST} returns for the same parameters. */
    static final String HISTORY = """
        SELECT number, at, node, duration, error_type, message, decision, why, origin
        FROM redrive.attempts
        WHERE origin IN (SELECT origin FROM redrive.dead_letters WHERE id > ? AND %s ORDER BY id LIMIT ?)
        ORDER BY id
        """;

    /** Followed by {@link Dialect#forUpdate}. */
    static final String SELECT_CAUSES =
            "SELECT id, fingerprint FROM redrive.dead_letters WHERE %s ORDER BY id LIMIT ? ";

    static final String DELETE = "DELETE FROM redrive.dead_letters WHERE %s";

    static final String DELETE_HISTORY = """
        DELETE FROM redrive.attempts
        WHERE origin IN (SELECT origin FROM redrive.dead_letters WHERE %s)
        """;

    static final String HAS_EVENT = "SELECT 1 FROM redrive.dead_letters WHERE event_id = ? AND correlation_id = ?";

    /** The newest letter of an event; NULL for an event without a letter. */
    static final String LETTER_OF =
            "SELECT max(id) FROM redrive.dead_letters WHERE event_id = ? AND correlation_id = ?";

    /** The parameters of {@link EventRows#bindLetter}. */
    static final String IMPORT = """
        INSERT INTO redrive.dead_letters (
            origin, reason, error_type, last_error, fingerprint, service,
            failed, interrupted, crashed, redrives, auto_redrives, dead_at,
            event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
            created_at, due_at, deadline_at, original_payload, payload)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """;

    static final String IMPORT_ATTEMPT = """
        INSERT INTO redrive.attempts (origin, number, at, node, duration, error_type, message, decision, why)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """;

    private LetterSql() {}
}

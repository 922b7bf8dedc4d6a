package io.redrive.jdbc;

/** The statements about dead letters. {@code %s} stands for the conditions of a {@link LetterConditions}. */
final class SqliteLetterSql {

    /** The order of the columns is that of {@link EventRows#letter}. */
    static final String COLUMNS = """
            SELECT event_id, correlation_id, name, source, priority, ordering_key, content_type, headers, created_at,
                due_at, deadline_at, payload,
                id, original_payload, reason, error_type, last_error, fingerprint, service,
                failed, interrupted, crashed, redrives, auto_redrives, dead_at, origin
            FROM dead_letters
            """;

    static final int ORIGIN_COLUMN = 26;

    static final String LIST = COLUMNS + "WHERE id > ? AND %s ORDER BY id LIMIT ?";
    static final String FIND = COLUMNS + "WHERE id = ?";

    static final String COUNT = "SELECT count(*) FROM dead_letters WHERE %s";

    /** Error type and example are those of the oldest letter. */
    static final String GROUPS = """
            SELECT alike.fingerprint, oldest.error_type, oldest.last_error, alike.letters, alike.first, alike.last
            FROM (
                SELECT fingerprint, count(*) AS letters, min(dead_at) AS first, max(dead_at) AS last, min(id) AS id
                FROM dead_letters
                WHERE %s
                GROUP BY fingerprint
                ORDER BY letters DESC, fingerprint
                LIMIT ?) AS alike
            JOIN dead_letters AS oldest ON oldest.id = alike.id
            ORDER BY alike.letters DESC, alike.fingerprint
            """;

    static final String GROUP_NAMES = """
            SELECT DISTINCT name FROM dead_letters
            WHERE fingerprint = ? AND %s
            ORDER BY name
            LIMIT ?
            """;

    static final String HISTORY = """
            SELECT number, at, node, duration, error_type, message, decision, why
            FROM attempts
            WHERE origin = ?
            ORDER BY id
            """;

    static final String SELECT_IDS = "SELECT id FROM dead_letters WHERE %s ORDER BY id LIMIT ?";

    static final String EDIT = """
            UPDATE dead_letters SET original_payload = coalesce(original_payload, payload), payload = ?2
            WHERE id = ?1
            """;

    /** Back among the events as if never tried, but for its past; behind what waits for its key. */
    static final String REVIVE = """
            INSERT INTO events (
                seq, state, queue, due_at, redrives, auto_redrives, batch, origin,
                event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
                created_at, published_due_at, deadline_at, original_payload, payload)
            SELECT
                ?2,
                CASE WHEN EXISTS (SELECT 1 FROM events WHERE ordering_key = dead_letters.ordering_key)
                    THEN 2 ELSE 0 END,
                priority, ?3, redrives + 1, auto_redrives + ?4, ?5, origin,
                event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
                created_at, due_at, CASE WHEN deadline_at > ?3 THEN deadline_at END, original_payload, payload
            FROM dead_letters
            WHERE id = ?1
            """;

    static final String DELETE = "DELETE FROM dead_letters WHERE id IN (SELECT value FROM json_each(?))";

    static final String DELETE_HISTORY = """
            DELETE FROM attempts
            WHERE origin IN (
                SELECT origin FROM dead_letters WHERE id IN (SELECT value FROM json_each(?)))
            """;

    static final String HAS_EVENT = "SELECT 1 FROM dead_letters WHERE event_id = ? AND correlation_id = ?";

    static final String IMPORT = """
            INSERT INTO dead_letters (
                origin, reason, error_type, last_error, fingerprint, service,
                failed, interrupted, crashed, redrives, auto_redrives, dead_at,
                event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
                created_at, due_at, deadline_at, original_payload, payload)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    static final String IMPORT_ATTEMPT = """
            INSERT INTO attempts (origin, number, at, node, duration, error_type, message, decision, why)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    static final String PENDING = "SELECT count(*) FROM events WHERE batch = ?";
    static final String DEAD_AGAIN =
            "SELECT fingerprint, count(*) FROM dead_letters WHERE batch = ? GROUP BY fingerprint";

    static final String RECORD_ACTION =
            "INSERT INTO operator_actions (at, operator, action, detail, letters) VALUES (?, ?, ?, ?, ?)";
    static final String ACTIONS =
            "SELECT at, operator, action, detail, letters FROM operator_actions ORDER BY id DESC LIMIT ?";

    private SqliteLetterSql() {}
}

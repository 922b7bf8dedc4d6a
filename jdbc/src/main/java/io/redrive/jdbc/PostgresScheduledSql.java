package io.redrive.jdbc;

/** The statements on events that no claim has taken yet; {@link PostgresSchemaName} replaces the schema. */
final class PostgresScheduledSql {

    /** A scheduled event has no tally and no origin: no claim has taken it, and it is no redriven letter. */
    static final String LIST = """
        SELECT event_id, correlation_id, name, source, priority, ordering_key, content_type, headers, created_at,
            due_at, deadline_at, payload, seq
        FROM redrive.events
        WHERE due_at > created_at AND origin IS NULL
            AND NOT EXISTS (SELECT 1 FROM redrive.tallies WHERE tallies.seq = events.seq)
            AND due_at > ? AND (due_at, seq) > (?, ?) AND due_at < ? AND name >= ? AND name < ?
        ORDER BY due_at, seq
        LIMIT ?
        """;

    /** Finds an event through its key, or by the index of events without a key of their own. A scheduled event comes first. */
    static final String FIND = """
        SELECT event.seq, priority, name, ordering_key, due_at <= created_at AS unscheduled
        FROM redrive.event_keys AS keyed
        CROSS JOIN LATERAL (SELECT * FROM redrive.events WHERE events.seq = keyed.seq OFFSET 0) AS event
        WHERE keyed.event_id = ? AND keyed.correlation_id = ? AND origin IS NULL
        UNION ALL
        SELECT seq, priority, name, ordering_key, due_at <= created_at
        FROM redrive.events
        WHERE event_id = ? AND correlation_id = ? AND unkeyed AND origin IS NULL
        ORDER BY unscheduled
        LIMIT 1
        """;

    static final String HAS_BEGUN = "SELECT 1 FROM redrive.tallies WHERE seq = ?";

    static final String LEAVE_CALLS = "DELETE FROM redrive.line_calls WHERE seq = ?";
    static final String IS_ACTIVE = "SELECT active FROM redrive.lines WHERE seq = ?";
    static final String LEAVE_LINE = "DELETE FROM redrive.lines WHERE seq = ?";
    static final String LEAVE_QUEUE = "DELETE FROM redrive.ready WHERE queue = ? AND seq = ?";
    static final String LEAVE_ASIDE = "DELETE FROM redrive.aside WHERE queue = ? AND name = ? AND seq = ?";
    static final String DELETE = "DELETE FROM redrive.events WHERE seq = ?";
    static final String FORGET_KEY = "DELETE FROM redrive.event_keys WHERE event_id = ? AND correlation_id = ?";

    private PostgresScheduledSql() {}
}

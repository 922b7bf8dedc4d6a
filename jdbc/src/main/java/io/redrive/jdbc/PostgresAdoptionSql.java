package io.redrive.jdbc;

/** The statements of {@link PostgresAdoptions}. */
final class PostgresAdoptionSql {

    /** Returns the places that were not settled before. */
    static final String SETTLE = """
        INSERT INTO redrive.settled (bookmark, place, settled_at)
        SELECT ?::bigint, place, ?::bigint FROM unnest(?::bigint[]) AS adopted (place) ORDER BY place
        ON CONFLICT DO NOTHING
        RETURNING place
        """;

    static final String INSERT = """
        INSERT INTO redrive.events (
            seq, event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
            created_at, due_at, deadline_at, payload)
        SELECT *
        FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::text[], ?::text[],
                ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[])
        """;

    static final String COUNT = """
        INSERT INTO redrive.tallies (seq, first_claimed_at, last_delay, failed, interrupted, crashed)
        SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::integer[], ?::integer[], ?::integer[])
        """;

    /** Makes the events without an ordering key ready. */
    static final String QUEUE = """
        INSERT INTO redrive.ready (due_at, seq, size, queue, waits, put_off_at)
        SELECT waiting.due_at, seq, octet_length(payload), queue, waits, put_off_at
        FROM unnest(?::bigint[], ?::bigint[], ?::integer[], ?::integer[], ?::bigint[])
            AS waiting (seq, due_at, queue, waits, put_off_at)
        CROSS JOIN LATERAL (
            SELECT ordering_key, payload FROM redrive.events WHERE events.seq = waiting.seq OFFSET 0) AS event
        WHERE ordering_key IS NULL
        """;

    /** Lets the events with an ordering key join their lines. Parameters 4 and 5 are unused: a line keeps no cause of waiting. */
    static final String CALL_LINES = """
        INSERT INTO redrive.line_calls (ordering_key, seq, due_at, size, queue)
        SELECT ordering_key, seq, waiting.due_at, octet_length(payload), queue
        FROM unnest(?::bigint[], ?::bigint[], ?::integer[], ?::integer[], ?::bigint[])
            AS waiting (seq, due_at, queue, waits, put_off_at)
        CROSS JOIN LATERAL (
            SELECT ordering_key, payload FROM redrive.events WHERE events.seq = waiting.seq OFFSET 0) AS event
        WHERE ordering_key IS NOT NULL
        ORDER BY seq
        """;

    static final String WAITING_IN_RANGE = """
        SELECT ordering_key FROM redrive.lines WHERE ordering_key >= ? AND ordering_key < ?
        UNION
        SELECT ordering_key FROM redrive.line_calls WHERE seq IS NOT NULL AND ordering_key >= ? AND ordering_key < ?
        """;

    static final String WAITING = """
        SELECT ordering_key FROM redrive.lines WHERE ordering_key = ANY (?)
        UNION
        SELECT ordering_key FROM redrive.line_calls WHERE seq IS NOT NULL AND ordering_key = ANY (?)
        """;

    private PostgresAdoptionSql() {}
}

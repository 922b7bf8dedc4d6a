package io.redrive.jdbc;

/** The statements that claim events and set events aside; {@link PostgresSchemaName} replaces the schema. */
final class PostgresClaimSql {

    /** The columns of {@link EventRows#claim}, followed by the due time in the queue. */
    private static final String TAKEN = """
        SELECT event_id, correlation_id, name, source, priority, ordering_key, content_type, headers, created_at,
            events.due_at, deadline_at, payload,
            taken.seq, coalesce(failed, 0), coalesce(interrupted, 0), coalesce(crashed, 0),
            first_claimed_at, coalesce(last_delay, 0), redrives,
            taken.due_at
        FROM taken
        JOIN redrive.events USING (seq)
        LEFT JOIN redrive.tallies USING (seq)
        ORDER BY taken.due_at, taken.seq
        """;

    /**
     * Takes due events of one queue behind a mark, and returns them in order. Skips rows which another claimer is
     * taking. Takes at least one event, and stops before the sum of payloads exceeds a limit.
     */
    static final String TAKE = """
        WITH taken AS MATERIALIZED (
            DELETE FROM redrive.ready
            WHERE ctid = ANY (ARRAY(
                SELECT place
                FROM (
                    SELECT place, sum(size) OVER (ORDER BY due_at, seq) - size AS bytes_before
                    FROM (
                        SELECT ctid AS place, due_at, seq, size
                        FROM redrive.ready
                        WHERE queue = ? AND due_at <= ? AND (due_at, seq) > (?, ?)
                        ORDER BY due_at, seq
                        LIMIT ?
                        FOR UPDATE SKIP LOCKED) AS due) AS summed
                WHERE bytes_before < ?))
            RETURNING due_at, seq
        )
        """ + TAKEN;

    /** Moves events, taken from one queue, to the events set aside. */
    static final String SET_ASIDE = """
        INSERT INTO redrive.aside (queue, name, due_at, seq, size)
        SELECT ?, name, due_at, seq, size
        FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::integer[]) AS refused (name, due_at, seq, size)
        """;

    /**
     * Takes the oldest events set aside in one queue whose name is in an accepted range. Jumps from name to name in the
     * index, so its cost grows neither with the events of a name nor with the names outside the ranges.
     */
    static final String TAKE_ASIDE = """
        WITH RECURSIVE named AS (
            SELECT head.name, beyond
            FROM unnest(?::text[], ?::text[]) AS accepted (lowest, beyond)
            CROSS JOIN LATERAL (
                SELECT name FROM redrive.aside
                WHERE queue = ? AND name >= lowest AND name < beyond
                ORDER BY name
                LIMIT 1) AS head
            UNION ALL
            SELECT head.name, beyond
            FROM named
            CROSS JOIN LATERAL (
                SELECT name FROM redrive.aside
                WHERE queue = ? AND aside.name > named.name AND aside.name < beyond
                ORDER BY name
                LIMIT 1) AS head
        ), taken AS MATERIALIZED (
            DELETE FROM redrive.aside
            WHERE ctid = ANY (ARRAY(
                SELECT place
                FROM (
                    SELECT place, sum(size) OVER (ORDER BY due_at, seq) - size AS bytes_before
                    FROM (
                        SELECT place, due_at, seq, size
                        FROM (SELECT name FROM named LIMIT ?) AS chosen
                        CROSS JOIN LATERAL (
                            SELECT ctid AS place, due_at, seq, size
                            FROM redrive.aside
                            WHERE queue = ? AND aside.name = chosen.name AND due_at <= ?
                            ORDER BY due_at, seq
                            LIMIT ?
                            FOR UPDATE SKIP LOCKED) AS oldest
                        ORDER BY due_at, seq
                        LIMIT ?) AS due) AS summed
                WHERE bytes_before < ?))
            RETURNING due_at, seq
        )
        """ + TAKEN;

    static final String COUNT_ASIDE = """
        SELECT count(*)
        FROM unnest(?::text[], ?::text[]) AS counted (lowest, beyond)
        JOIN redrive.aside ON name >= lowest AND name < beyond
        """;

    /** Names of the events set aside, and how long the oldest event of each name has been due. */
    static final String ASIDE_NAMES = """
        WITH RECURSIVE clock AS MATERIALIZED (
            SELECT coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) AS now
        ), named AS (
            (SELECT queue, name, due_at FROM redrive.aside ORDER BY queue, name, due_at LIMIT 1)
            UNION ALL
            SELECT head.*
            FROM named
            CROSS JOIN LATERAL (
                SELECT queue, name, due_at FROM redrive.aside
                WHERE (aside.queue, aside.name) > (named.queue, named.name)
                ORDER BY queue, name, due_at
                LIMIT 1) AS head
        )
        SELECT name, greatest(0, (SELECT now FROM clock) - min(due_at))
        FROM (SELECT name, due_at FROM named LIMIT ?) AS found
        GROUP BY name
        ORDER BY name
        LIMIT ?
        """;

    private PostgresClaimSql() {}
}

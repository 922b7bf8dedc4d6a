package io.redrive.jdbc;

/** The statements that claim events, set events aside and recover claims; {@link PostgresSchemaName} replaces the schema. */
final class PostgresClaimSql {

    /**
     * The columns of {@link EventRows#claim}, followed by the due time in the queue. The short rows of the queue are sorted
     * before the events are looked up, because sorting would copy the payloads.
     */
    private static final String TAKEN = """
        SELECT event_id, correlation_id, name, source, priority, ordering_key, content_type, headers, created_at,
            event.due_at, deadline_at, payload,
            taken.seq, coalesce(failed, 0), coalesce(interrupted, 0), coalesce(crashed, 0),
            first_claimed_at, coalesce(last_delay, 0), redrives,
            taken.due_at
        FROM (SELECT due_at, seq FROM removed ORDER BY due_at, seq) AS taken
        CROSS JOIN LATERAL (SELECT * FROM redrive.events WHERE events.seq = taken.seq OFFSET 0) AS event
        LEFT JOIN LATERAL (SELECT * FROM redrive.tallies WHERE tallies.seq = taken.seq OFFSET 0) AS tally ON true
        ORDER BY taken.due_at, taken.seq
        """;

    /**
     * Takes due events of one queue behind a mark, and returns them in order. Skips rows which another claimer is
     * taking. Takes at least one event, and stops before the sum of payloads exceeds a limit.
     */
    static final String TAKE = """
        WITH removed AS MATERIALIZED (
            DELETE FROM redrive.ready
            WHERE ctid = ANY (ARRAY(
                SELECT place
                FROM (
                    SELECT place, sum(size) OVER (ORDER BY due_at, seq ROWS UNBOUNDED PRECEDING) - size AS bytes_before
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
        ), removed AS MATERIALIZED (
            DELETE FROM redrive.aside
            WHERE ctid = ANY (ARRAY(
                SELECT place
                FROM (
                    SELECT place, sum(size) OVER (ORDER BY due_at, seq ROWS UNBOUNDED PRECEDING) - size AS bytes_before
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

    /**
     * Ends expired leases. Their events become ready, with one more crash, or one more interruption when their process
     * lives, and are suspects from the third crash on. A suspect whose process held further claims counts an
     * interruption; the remaining leases of a dead process are marked, because leases of one process may end at
     * different times. Skips leases locked by a settlement, and leases of processes whose state is unclear.
     */
    static final String RECOVER = """
        WITH clock AS MATERIALIZED (
            SELECT coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) AS now
        ), crowded AS MATERIALIZED (
            SELECT node FROM redrive.leases WHERE token > 0 GROUP BY node HAVING sum(held) > 1
        ), expired AS MATERIALIZED (
            SELECT token, node, granted_at, seqs, CASE WHEN node = ANY (?::text[]) THEN 0 ELSE 1 END AS crashes,
                had_neighbours OR node IN (SELECT node FROM crowded) AS had_neighbours
            FROM redrive.leases
            WHERE until_at <= (SELECT now FROM clock) AND node <> ALL (?::text[])
            ORDER BY token
            LIMIT ?
            FOR UPDATE SKIP LOCKED
        ), marked AS (
            UPDATE redrive.leases SET had_neighbours = true
            WHERE token = ANY (ARRAY(
                SELECT token FROM redrive.leases
                WHERE token > 0 AND node IN (SELECT node FROM expired WHERE crashes = 1)
                    AND token NOT IN (SELECT token FROM expired)
                FOR UPDATE SKIP LOCKED))
        ), lost AS MATERIALIZED (
            SELECT seq, granted_at, coalesce(crashed, 0) AS crashed,
                CASE WHEN had_neighbours AND coalesce(crashed, 0) >= ? THEN 0 ELSE crashes END AS crashes
            FROM (SELECT unnest(seqs) AS seq, granted_at, had_neighbours, crashes FROM expired) AS held
            LEFT JOIN LATERAL (SELECT crashed FROM redrive.tallies WHERE tallies.seq = held.seq OFFSET 0) AS tally ON true
        ), counted AS (
            INSERT INTO redrive.tallies AS known (seq, first_claimed_at, failed, interrupted, crashed)
            SELECT seq, granted_at, 0, 1 - crashes, crashes FROM lost
            ON CONFLICT (seq) DO UPDATE SET
                interrupted = known.interrupted + excluded.interrupted,
                crashed = known.crashed + excluded.crashed
        ), listed AS (
            UPDATE redrive.events SET never_waited = false
            WHERE seq = ANY (ARRAY(SELECT seq FROM lost)) AND never_waited
        ), queued AS (
            INSERT INTO redrive.ready (due_at, seq, size, queue)
            SELECT now, seq, size, CASE WHEN crashed + crashes >= ? THEN ? + priority ELSE priority END
            FROM lost
            CROSS JOIN LATERAL (
                SELECT priority, octet_length(payload) AS size FROM redrive.events WHERE events.seq = lost.seq OFFSET 0)
                AS event
            CROSS JOIN clock
        ), ended AS (
            DELETE FROM redrive.leases WHERE token IN (SELECT token FROM expired)
        )
        SELECT count(*) FROM lost
        """;

    private PostgresClaimSql() {}
}

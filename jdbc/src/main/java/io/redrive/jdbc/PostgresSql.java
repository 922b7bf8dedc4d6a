package io.redrive.jdbc;

/**
 * The whole statements of the hot path and of housekeeping, written for the schema {@code redrive}, which {@link
 * PostgresSchemaName} replaces. Statements on dead letters are in {@link LetterSql}.
 *
 * <p>Where a statement reads the clock, a parameter precedes: NULL, or the time set by a test ({@link PostgresClock}).
 */
final class PostgresSql {

    /** A statement after a lock must see the commits of the lock's former holder. */
    static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

    static final String SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY";

    static final String LOCK = "SELECT pg_advisory_xact_lock(?)";
    static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock(?)";

    /**
     * Begins a transaction on the hot tables. They are empty one moment and full the next, so the planner's statistics
     * are wrong, and a plan made for an empty table would be kept for a full one. Each statement has one right plan,
     * from index to index; these settings exclude most others. Joins are written {@code LATERAL (… OFFSET 0)}, which the
     * planner does not reorder: for a table analysed while empty, it would read the whole table instead of looking up
     * rows. The time-outs (milliseconds) end the transaction of a vanished client, and free its locks.
     */
    static final String BEGIN_HOT = """
        SELECT
            set_config('enable_seqscan', 'off', true),
            set_config('enable_bitmapscan', 'off', true),
            set_config('enable_hashjoin', 'off', true),
            set_config('enable_mergejoin', 'off', true),
            set_config('plan_cache_mode', 'force_generic_plan', true),
            set_config('jit', 'off', true),
            set_config('statement_timeout', ?, true),
            set_config('idle_in_transaction_session_timeout', ?, true)
        """;

    static final String COUNT_SCHEMAS = "SELECT count(*) FROM pg_namespace WHERE nspname = ?";
    static final String COUNT_RELATIONS =
            "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?";
    static final String HAS_HISTORY = "SELECT count(to_regclass('redrive.schema_history'))";
    static final String SCHEMA_VERSION = "SELECT max(version::integer) FROM redrive.schema_history WHERE success";

    /**
     * Stores the new events among the offered ones, and claims some. Returns the numbers of the new events from 1 on, or NULL when all
     * are new, and token and positions of the claimed events. The function is installed by a migration, which describes it.
     */
    static final String PUBLISH = """
        SELECT accepted, token, claimed
        FROM redrive.publish_and_claim(?::bigint, ?::bigint, ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::text[],
            ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::integer[], ?::bytea[], ?::boolean[], ?::text,
            ?::bigint)
        """;

    /**
     * Deletes keys past their retention, from a mark on. A subselect reads the clock once; otherwise no index would be
     * used.
     */
    static final String FORGET_KEYS = """
        DELETE FROM redrive.event_keys
        WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM redrive.event_keys
            WHERE seen_at >= ?
                AND seen_at <= (
                    SELECT coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)) - ?
            ORDER BY seen_at
            LIMIT ?
            FOR UPDATE SKIP LOCKED))
        RETURNING seen_at
        """;

    /** A key seen after the death of a letter's event belongs to a later publication, and stays. */
    static final String FORGET_KEYS_OF_LETTERS = """
        DELETE FROM redrive.event_keys AS known
        USING redrive.dead_letters AS letter
        WHERE letter.id = ANY (?)
            AND known.event_id = letter.event_id AND known.correlation_id = letter.correlation_id
            AND known.seen_at <= letter.dead_at
        """;

    /**
     * Opens an exchange. Returns the database's time, the oldest running transaction that has written, the number of
     * this transaction if requested ({@link PostgresCallMark}; a number costs a record in the log), whether lines call,
     * whether events are set aside (if requested), new tokens, and the locked leases of the settled claims. Returns at
     * least one row, also without leases.
     */
    static final String OPEN_EXCHANGE = """
        WITH held AS (
            SELECT token, granted_at, seqs FROM redrive.leases WHERE token = ANY (?) ORDER BY token FOR UPDATE
        )
        SELECT
            coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint),
            pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
            CASE WHEN ? THEN pg_current_xact_id()::text::bigint ELSE 0 END,
            EXISTS (SELECT 1 FROM redrive.line_calls WHERE id > ?),
            CASE WHEN ?::boolean THEN EXISTS (SELECT 1 FROM redrive.aside) ELSE false END,
            ARRAY(SELECT nextval('redrive.tokens') FROM generate_series(1, ?)),
            held.token, held.granted_at, held.seqs
        FROM (SELECT 1) AS one LEFT JOIN held ON true
        """;

    static final String GRANT_LEASE = """
        INSERT INTO redrive.leases (token, until_at, granted_at, held, node, seqs) VALUES (?, ?, ?, ?, ?, ?)
        """;

    static final String NOW = "SELECT coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)";

    /** Locks the leases in the same order as exchanges, which may be settling them. */
    static final String EXTEND_LEASES = """
        UPDATE redrive.leases
        SET until_at = coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) + ?
        WHERE token = ANY (ARRAY(
            SELECT token FROM redrive.leases WHERE token = ANY (?) ORDER BY token FOR UPDATE))
        """;

    static final String END_LEASES = "DELETE FROM redrive.leases WHERE token = ANY (?)";
    static final String SHRINK_LEASE = "UPDATE redrive.leases SET held = ?, seqs = ? WHERE token = ?";

    /** Deletes ended events and their tallies. */
    static final String REMOVE = """
        WITH uncounted AS (
            DELETE FROM redrive.tallies WHERE seq = ANY (?)
        )
        DELETE FROM redrive.events WHERE seq = ANY (?)
        """;

    /** Runs before {@link #REMOVE}, for done events with a history. */
    static final String FORGET_ATTEMPTS = """
        DELETE FROM redrive.attempts
        WHERE origin = ANY (ARRAY(SELECT coalesce(origin, seq) FROM redrive.events WHERE seq = ANY (?)))
        """;

    /** Counts attempts that did not end the event. */
    static final String COUNT = """
        INSERT INTO redrive.tallies AS known (seq, first_claimed_at, last_delay, failed, interrupted, crashed)
        SELECT seq, first_claimed_at, last_delay, failed, interrupted, 0
        FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::integer[], ?::integer[])
            AS tried (seq, first_claimed_at, last_delay, failed, interrupted)
        ON CONFLICT (seq) DO UPDATE SET
            last_delay = coalesce(excluded.last_delay, known.last_delay),
            failed = known.failed + excluded.failed,
            interrupted = known.interrupted + excluded.interrupted
        """;

    /**
     * Runs after {@link #COUNT}: makes events ready; an event with the crashes of a suspect stays a suspect. The first parameter are
     * the events once more: from now on, searches find events that never waited by the index of correlation ids.
     */
    static final String PUT_BACK = """
        WITH listed AS (
            UPDATE redrive.events SET never_waited = false WHERE seq = ANY (?::bigint[]) AND never_waited
        )
        INSERT INTO redrive.ready (due_at, seq, size, queue, waits, put_off_at)
        SELECT back.due_at, seq, size, CASE WHEN crashed >= ? THEN ? + priority ELSE priority END, waits, put_off_at
        FROM unnest(?::bigint[], ?::bigint[], ?::integer[], ?::bigint[]) AS back (seq, due_at, waits, put_off_at)
        CROSS JOIN LATERAL (
            SELECT priority, octet_length(payload) AS size FROM redrive.events WHERE events.seq = back.seq OFFSET 0) AS event
        CROSS JOIN LATERAL (SELECT crashed FROM redrive.tallies WHERE tallies.seq = back.seq OFFSET 0) AS tally
        """;

    static final String RECORD_ATTEMPTS = """
        INSERT INTO redrive.attempts (origin, number, at, node, duration, error_type, message, decision, why)
        SELECT coalesce(origin, seq), number, at, node, duration, error_type, message, decision, why
        FROM unnest(?::bigint[], ?::integer[], ?::bigint[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[],
                ?::text[])
            WITH ORDINALITY
            AS attempt (seq, number, at, node, duration, error_type, message, decision, why, n)
        CROSS JOIN LATERAL (SELECT origin FROM redrive.events WHERE events.seq = attempt.seq OFFSET 0) AS event
        ORDER BY n
        """;

    static final String BURY = """
        INSERT INTO redrive.dead_letters (
            origin, reason, error_type, last_error, fingerprint, service,
            failed, interrupted, crashed, redrives, auto_redrives, batch, dead_at,
            event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
            created_at, due_at, deadline_at, original_payload, payload)
        SELECT
            coalesce(origin, dead.seq), reason, error_type, last_error, fingerprint, service,
            coalesce(failed, 0) + 1, coalesce(interrupted, 0), coalesce(crashed, 0), redrives, auto_redrives, batch, ?,
            event_id, correlation_id, name, source, priority, ordering_key, content_type, coalesce(other_headers, headers),
            created_at, due_at, deadline_at, original_payload, coalesce(other_payload, payload)
        FROM unnest(
                ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bytea[])
            WITH ORDINALITY
            AS dead (seq, reason, error_type, last_error, fingerprint, service, other_headers, other_payload, n)
        CROSS JOIN LATERAL (SELECT * FROM redrive.events WHERE events.seq = dead.seq OFFSET 0) AS event
        LEFT JOIN LATERAL (
            SELECT failed, interrupted, crashed FROM redrive.tallies WHERE tallies.seq = dead.seq OFFSET 0) AS tally ON true
        ORDER BY n
        """;

    /** Removes ended events from their lines. */
    static final String LEAVE_LINES = "DELETE FROM redrive.lines WHERE seq = ANY (?) RETURNING ordering_key, ticket";

    /** Calls lines whose active event has left, so that an exchange activates their next event. */
    static final String CALL =
            "INSERT INTO redrive.line_calls (ordering_key) SELECT ordering_key FROM unnest(?::text[]) AS ordering_key";

    /**
     * Deletes calls, and gives the next tickets to the events calling to join a line. Returns ids and ordering keys.
     */
    static final String ANSWER_CALLS = """
        WITH calls AS MATERIALIZED (
            DELETE FROM redrive.line_calls
            WHERE id = ANY (ARRAY(SELECT id FROM redrive.line_calls WHERE id > ? ORDER BY id LIMIT ?))
            RETURNING id, ordering_key, seq, due_at, size, queue
        ), joined AS (
            INSERT INTO redrive.lines (ordering_key, ticket, seq, due_at, size, queue)
            SELECT ordering_key, nextval('redrive.tickets'), seq, due_at, size, queue
            FROM (SELECT * FROM calls WHERE seq IS NOT NULL ORDER BY seq) AS inorder
        )
        SELECT id, ordering_key FROM calls
        """;

    /**
     * Makes the first event of each line active and ready, unless it already is. Reads tickets above {@code floor}
     * only. The place of a row is stable: only this statement updates lines, and one claimer at a time runs it. An event
     * overdue for long is queued at the low-water mark of its queue, where the next scan finds it.
     */
    static final String ACTIVATE = """
        WITH first AS MATERIALIZED (
            SELECT line.place, line.ordering_key, line.ticket, line.active
            FROM unnest(?::text[], ?::bigint[]) AS called (ordering_key, floor)
            CROSS JOIN LATERAL (
                SELECT ctid AS place, ordering_key, ticket, active
                FROM redrive.lines
                WHERE lines.ordering_key = called.ordering_key AND ticket > floor
                ORDER BY ticket
                LIMIT 1) AS line
        ), activated AS (
            UPDATE redrive.lines SET active = true
            WHERE ctid = ANY (ARRAY(SELECT place FROM first WHERE NOT active))
            RETURNING due_at, seq, size, queue
        ), queued AS (
            INSERT INTO redrive.ready (due_at, seq, size, queue)
            SELECT greatest(due_at, (?::bigint[])[queue + 1]), seq, size, queue FROM activated
        )
        SELECT ordering_key, ticket FROM first
        """;

    /**
     * Columns: the time, ready, all waiting, oldest due time, claimed, dead, waiting behind another event of their key,
     * set aside, oldest due time set aside, paused, without a token. Events waiting in a line count by their own due
     * time.
     */
    static final String STATS = """
        WITH clock AS MATERIALIZED (
            SELECT coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) AS now
        ), waiting AS (
            SELECT
                count(*) FILTER (WHERE due_at <= now) AS ready, count(*) AS waiting, min(due_at) AS oldest
            FROM redrive.ready CROSS JOIN clock
            UNION ALL
            SELECT
                count(*) FILTER (WHERE due_at <= now), count(*), min(due_at)
            FROM redrive.lines CROSS JOIN clock
            WHERE NOT active
            UNION ALL
            SELECT
                count(*) FILTER (WHERE due_at <= now), count(*), min(due_at)
            FROM redrive.line_calls CROSS JOIN clock
            WHERE seq IS NOT NULL
            UNION ALL
            SELECT count(*), count(*), min(due_at) FROM redrive.aside
        )
        SELECT
            (SELECT now FROM clock), sum(ready), sum(waiting), min(oldest),
            (SELECT coalesce(sum(held), 0) FROM redrive.leases),
            (SELECT coalesce(sum(letters), 0) FROM redrive.letter_counts)
                + (SELECT coalesce(sum(letters), 0) FROM redrive.letter_count_changes),
            (SELECT count(*) FROM redrive.lines WHERE NOT active)
                + (SELECT count(*) FROM redrive.line_calls WHERE seq IS NOT NULL),
            (SELECT count(*) FROM redrive.aside),
            (SELECT min(due_at) FROM redrive.aside),
            snoozed.paused, snoozed.without_token
        FROM waiting
        CROSS JOIN (
            SELECT
                count(*) FILTER (WHERE waits = 1 AND due_at > now) AS paused,
                count(*) FILTER (WHERE waits = 2 AND due_at > now) AS without_token
            FROM redrive.ready CROSS JOIN clock) AS snoozed
        GROUP BY snoozed.paused, snoozed.without_token
        """;

    static final String CHANGE_NOTE = """
        UPDATE redrive.notes SET value = ?, version = nextval('redrive.note_versions')
        WHERE topic = ? AND name = ? AND version = ?
        """;

    static final String NOTIFY = "SELECT pg_notify(?, ?)";

    static final String NEXT_POSITIONS = "SELECT nextval('redrive.positions') FROM generate_series(1, ?)";

    static final String KNOWN_LETTERS = """
        SELECT letter.event_id, letter.correlation_id
        FROM redrive.dead_letters AS letter
        JOIN unnest(?, ?) AS offered (event_id, correlation_id)
            ON letter.event_id = offered.event_id AND letter.correlation_id = offered.correlation_id
        """;

    /** Inserts the events of letters as ready, or as calls to their lines, with their history and no attempts. */
    static final String REVIVE = """
        WITH clock AS MATERIALIZED (
            SELECT coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) AS now
        ), chosen AS MATERIALIZED (
            SELECT id, seq FROM unnest(?::bigint[], ?::bigint[]) AS given (id, seq)
        ), revived AS (
            INSERT INTO redrive.events (
                seq, origin, redrives, auto_redrives, batch,
                event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
                created_at, due_at, deadline_at, original_payload, payload)
            SELECT
                seq, origin, redrives + 1, auto_redrives + ?, ?,
                event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
                created_at, due_at, CASE WHEN deadline_at > now THEN deadline_at END, original_payload, payload
            FROM chosen
            CROSS JOIN LATERAL (SELECT * FROM redrive.dead_letters WHERE dead_letters.id = chosen.id OFFSET 0) AS letter
            CROSS JOIN clock
            RETURNING seq, priority, ordering_key, octet_length(payload) AS size
        ), queued AS (
            INSERT INTO redrive.ready (due_at, seq, size, queue)
            SELECT now, seq, size, priority FROM revived CROSS JOIN clock WHERE ordering_key IS NULL
        ), called AS (
            INSERT INTO redrive.line_calls (ordering_key, seq, due_at, size, queue)
            SELECT ordering_key, seq, now, size, priority
            FROM revived CROSS JOIN clock
            WHERE ordering_key IS NOT NULL
        )
        DELETE FROM redrive.dead_letters WHERE id = ANY (?)
        """;

    private PostgresSql() {}
}

package io.redrive.jdbc;

/**
 * The whole statements of the hot path and of housekeeping. Statements on dead letters are in {@link LetterSql}.
 *
 * <p>Columns of {@code events} whose values are numbers or copies:
 *
 * <ul>
 *   <li>{@code state}: 0 ready, 1 claimed, 2 blocked, 3 set aside.
 *   <li>{@code queue}: 0 to 3 the priority, 4 to 7 suspects of the priorities 0 to 3.
 *   <li>{@code unkeyed}: 1 when no row of {@code event_keys} has the position of the event, so that its id is indexed here.
 *   <li>{@code waits}: the ordinal of {@link io.redrive.events.Settlement.Snooze.Cause}, and 0 after any other settlement.
 *   <li>{@code due_at}: when the event may be claimed. {@code published_due_at} keeps the due time of publication once
 *       {@code due_at} has changed; {@code due_set_at} is the time of the change, by which a clock set back is detected.
 * </ul>
 */
final class SqliteSql {

    /** Called by {@link Dialect#SQLITE}. */
    static final String CONTAINS_FUNCTION = "redrive_contains";

    static final String PAYLOAD_CONTAINS_FUNCTION = "redrive_payload_contains";

    static final String PAYLOAD_HAS_FUNCTION = "redrive_payload_has";

    static final String BEGIN_WRITING = "BEGIN IMMEDIATE";
    static final String BEGIN_READING = "BEGIN";
    static final String COMMIT = "COMMIT";
    static final String ROLLBACK = "ROLLBACK";
    static final String SYNC_COMMITS = "PRAGMA synchronous = FULL";
    static final String DO_NOT_SYNC_COMMITS = "PRAGMA synchronous = NORMAL";

    static final String HAS_ANY_TABLE = "SELECT 1 FROM sqlite_schema LIMIT 1";
    static final String HAS_HISTORY = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'redrive_schema'";
    static final String SCHEMA_VERSION = "SELECT max(CAST(version AS INTEGER)) FROM redrive_schema WHERE success";

    static final String READ_COUNTERS = "SELECT position, token FROM counters WHERE id = 1";
    static final String WRITE_COUNTERS = "UPDATE counters SET position = ?, token = ? WHERE id = 1";

    /** Changes one row when the key is new or past its retention, no row when the event is a duplicate. */
    static final String REMEMBER_KEY = """
        INSERT INTO event_keys (seq, event_id, correlation_id, seen_at)
        VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (event_id, correlation_id) DO UPDATE SET seq = excluded.seq, seen_at = excluded.seen_at
        WHERE seen_at <= ?5
        """;

    /** Reads the oldest keys only. Positions ascend with time, except when a clock jumps. */
    static final String FORGET_KEYS = """
        DELETE FROM event_keys
        WHERE seq IN (SELECT seq FROM event_keys ORDER BY seq LIMIT ?1) AND seen_at <= ?2
        """;

    /**
     * The key of a letter's event has the position of its first publication; a later publication has another position.
     */
    static final String FORGET_KEYS_OF_LETTERS = """
        DELETE FROM event_keys
        WHERE seq IN (SELECT origin FROM dead_letters WHERE id IN (SELECT value FROM json_each(?1)))
        """;

    /** The event is blocked (2) while an unfinished event of its ordering key exists. */
    static final String PUBLISH = """
        INSERT INTO events (
            seq, state, queue, due_at, event_id, correlation_id, name, source, priority, ordering_key,
            content_type, headers, created_at, deadline_at, payload)
        VALUES (
            ?1,
            CASE WHEN ?8 IS NOT NULL AND EXISTS (SELECT 1 FROM events WHERE ordering_key = ?8) THEN 2 ELSE 0 END,
            ?7, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        """;

    /** {@link #PUBLISH} of an event without ordering key that is claimed at once. */
    static final String PUBLISH_CLAIMED = """
        INSERT INTO events (
            seq, state, queue, due_at, event_id, correlation_id, name, source, priority, ordering_key,
            content_type, headers, created_at, deadline_at, payload, token, first_claimed_at)
        VALUES (?1, 1, ?7, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
        """;

    /** The columns of {@link EventRows#claim}, followed by the due time in the queue. */
    private static final String CLAIMABLE = """
        SELECT event_id, correlation_id, name, source, priority, ordering_key, content_type, headers, created_at,
            coalesce(published_due_at, due_at), deadline_at, payload,
            seq, failed, interrupted, crashed, first_claimed_at, last_delay, redrives,
            due_at
        FROM events
        """;

    /** The limit is a sum, because SQLite compiles a statement anew each time a bare parameter of LIMIT is bound. */
    static final String DUE = CLAIMABLE + """
        WHERE state = 0 AND queue = ?1 AND due_at <= ?2
        ORDER BY due_at, seq
        LIMIT ?3 + 0
        """;

    /** {@link #DUE}, starting behind an entry of the queue. */
    static final String DUE_BEHIND = CLAIMABLE + """
        WHERE state = 0 AND queue = ?1 AND due_at <= ?2 AND (due_at, seq) > (?4, ?5)
        ORDER BY due_at, seq
        LIMIT ?3 + 0
        """;

    static final String SET_ASIDE = """
        UPDATE events SET state = 3
        WHERE state = 0 AND seq IN (SELECT value FROM json_each(?1))
        """;

    static final String HAS_ASIDE = "SELECT 1 FROM events INDEXED BY events_aside WHERE state = 3 LIMIT 1";

    /** The first name in a range of names, among the events set aside in one queue. */
    static final String NEXT_ASIDE_NAME = """
        SELECT name FROM events
        WHERE state = 3 AND queue = ?1 AND name >= ?2 AND name < ?3
        ORDER BY name
        LIMIT 1
        """;

    /** Reads the index alone. */
    static final String ASIDE_ENTRIES = """
        SELECT due_at, seq FROM events
        WHERE state = 3 AND queue = ?1 AND name = ?2 AND due_at <= ?3
        ORDER BY due_at, seq
        LIMIT ?4 + 0
        """;

    static final String COUNT_ASIDE =
            "SELECT count(*) FROM events WHERE state = 3 AND queue = ?1 AND name >= ?2 AND name < ?3";

    static final String ASIDE_EVENT = CLAIMABLE + "WHERE state = 3 AND seq = ?1";

    static final String CLAIM = """
        UPDATE events SET state = 1, token = ?1, first_claimed_at = coalesce(first_claimed_at, ?2)
        WHERE seq IN (SELECT value FROM json_each(?3))
        """;

    static final String GRANT_LEASE =
            "INSERT INTO leases (token, node, until_at, held, seqs, set_at, granted_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)";

    static final String EXTEND_LEASES =
            "UPDATE leases SET until_at = ?1, set_at = ?3 WHERE token IN (SELECT value FROM json_each(?2))";

    /** Columns: token, node, positions, and whether the holder had further claims. */
    static final String EXPIRED_LEASES = """
        SELECT token, node, seqs,
            had_neighbours OR held > 1 OR EXISTS (
                SELECT 1 FROM leases AS beside WHERE beside.node = leases.node AND beside.token <> leases.token)
        FROM leases WHERE until_at <= ? ORDER BY token
        """;

    /** Runs for the holder of a lease that was recovered: leases of one process may end at different times. */
    static final String MARK_NEIGHBOURS = "UPDATE leases SET had_neighbours = 1 WHERE node = ?1 AND token <> ?2";

    /**
     * Adds a crash (parameter 4 is 1) or an interruption (0), and for a suspect that had neighbours (parameter 6 is 1)
     * always an interruption. From ?5 crashes on the event is a suspect.
     */
    static final String RECOVER = """
        UPDATE events SET
            state = 0, waits = 0, token = NULL,
            crashed = crashed + CASE WHEN ?6 AND crashed >= ?5 THEN 0 ELSE ?4 END,
            interrupted = interrupted + CASE WHEN ?6 AND crashed >= ?5 THEN 1 ELSE 1 - ?4 END,
            queue = CASE WHEN crashed + ?4 >= ?5 THEN 4 + priority ELSE priority END,
            due_at = ?1, due_set_at = ?1, published_due_at = coalesce(published_due_at, due_at)
        WHERE state = 1 AND token = ?2 AND seq IN (SELECT value FROM json_each(?3))
        """;

    static final String END_LEASE = "DELETE FROM leases WHERE token = ?1 AND held <= ?2";
    static final String SHRINK_LEASE = "UPDATE leases SET held = held - ?2 WHERE token = ?1";

    /** Parameters 1 and 2 of every settlement are the fence: position and token. */
    static final String DONE = "DELETE FROM events WHERE seq = ?1 AND token = ?2 AND state = 1";

    /** Runs before {@link #DONE}, for events with a history. */
    static final String FORGET_ATTEMPTS = """
        DELETE FROM attempts
        WHERE origin = (SELECT coalesce(origin, seq) FROM events WHERE seq = ?1 AND token = ?2 AND state = 1)
        """;

    static final String RETRY = """
        UPDATE events SET
            state = 0, waits = 0, token = NULL, failed = failed + 1, last_delay = ?4,
            due_at = ?3, due_set_at = ?5, published_due_at = coalesce(published_due_at, due_at)
        WHERE seq = ?1 AND token = ?2 AND state = 1
        """;

    static final String RELEASE = """
        UPDATE events SET
            state = 0, waits = 0, token = NULL, interrupted = interrupted + 1,
            due_at = ?3, due_set_at = ?3, published_due_at = coalesce(published_due_at, due_at)
        WHERE seq = ?1 AND token = ?2 AND state = 1
        """;

    static final String SNOOZE = """
        UPDATE events SET
            state = 0, waits = ?4, token = NULL,
            due_at = ?3, due_set_at = ?5, published_due_at = coalesce(published_due_at, due_at)
        WHERE seq = ?1 AND token = ?2 AND state = 1
        """;

    static final String BURY = """
        INSERT INTO dead_letters (
            origin, reason, error_type, last_error, fingerprint, service,
            failed, interrupted, crashed, redrives, auto_redrives, batch, dead_at,
            event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
            created_at, due_at, deadline_at, original_payload, payload)
        SELECT
            coalesce(origin, seq), ?3, ?4, ?5, ?6, ?7,
            failed + 1, interrupted, crashed, redrives, auto_redrives, batch, ?8,
            event_id, correlation_id, name, source, priority, ordering_key, content_type, coalesce(?9, headers),
            created_at, coalesce(published_due_at, due_at), deadline_at, original_payload, coalesce(?10, payload)
        FROM events
        WHERE seq = ?1 AND token = ?2 AND state = 1
        """;

    static final String RECORD_ATTEMPT = """
        INSERT INTO attempts (origin, number, at, node, duration, error_type, message, decision, why)
        SELECT coalesce(origin, seq), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM events WHERE seq = ?1
        """;

    /**
     * Inserts the event of a letter as ready, or as blocked behind unfinished events of its key, with its history and
     * no attempts.
     */
    static final String REVIVE = """
        INSERT INTO events (
            seq, state, queue, due_at, due_set_at, redrives, auto_redrives, batch, origin,
            event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
            created_at, published_due_at, deadline_at, original_payload, payload, unkeyed)
        SELECT
            ?2,
            CASE WHEN EXISTS (SELECT 1 FROM events WHERE ordering_key = dead_letters.ordering_key)
                THEN 2 ELSE 0 END,
            priority, ?3, ?3, redrives + 1, auto_redrives + ?4, ?5, origin,
            event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
            created_at, due_at, CASE WHEN deadline_at > ?3 THEN deadline_at END, original_payload, payload, 1
        FROM dead_letters
        WHERE id = ?1
        """;

    static final String UNBLOCK_NEXT = """
        UPDATE events SET state = 0
        WHERE state = 2 AND seq = (SELECT min(seq) FROM events WHERE ordering_key = ?1)
        """;

    /**
     * Columns: ready, all waiting, oldest due time, claimed, dead, blocked, set aside, oldest due time set aside,
     * paused, without a token. Events set aside are in no column but their own two. Blocked events count by their own
     * due time. Only the count of all waiting events walks an index to its end: with a million delayed events, this
     * count takes the time.
     */
    static final String STATS = """
        WITH queues (queue) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7))
        SELECT
            (SELECT count(*) FROM queues CROSS JOIN events USING (queue) WHERE state = 0 AND due_at <= ?1)
                + (SELECT count(*) FROM events WHERE state = 2 AND due_at <= ?1),
            (SELECT count(*) FROM events WHERE state = 0) + (SELECT count(*) FROM events WHERE state = 2),
            min(
                (SELECT coalesce(min((
                    SELECT due_at FROM events
                    WHERE state = 0 AND events.queue = queues.queue
                    ORDER BY due_at
                    LIMIT 1)), ?1)
                FROM queues),
                (SELECT coalesce(min(due_at), ?1) FROM events WHERE state = 2),
                (SELECT coalesce(min(due_at), ?1) FROM events WHERE state = 3)),
            (SELECT coalesce(sum(held), 0) FROM leases),
            (SELECT coalesce(sum(letters), 0) FROM letter_counts),
            (SELECT count(*) FROM events WHERE state = 2),
            (SELECT count(*) FROM events WHERE state = 3),
            (SELECT min(due_at) FROM events WHERE state = 3),
            (SELECT count(*) FROM events WHERE waits > 0 AND state = 0 AND waits = 1 AND due_at > ?1),
            (SELECT count(*) FROM events WHERE waits > 0 AND state = 0 AND waits = 2 AND due_at > ?1)
        """;

    /**
     * Repeats the condition of the index {@code events_scheduled}, and adds the rest of the definition of a scheduled
     * event.
     */
    static final String SCHEDULED = """
        SELECT event_id, correlation_id, name, source, priority, ordering_key, content_type, headers, created_at,
            due_at, deadline_at, payload, seq
        FROM events
        WHERE first_claimed_at IS NULL AND due_at > created_at
            AND state IN (0, 2) AND origin IS NULL
            AND due_at > ?1 AND (due_at, seq) > (?2, ?3) AND due_at < ?4 AND name >= ?5 AND name < ?6
        ORDER BY due_at, seq
        LIMIT ?7 + 0
        """;

    static final String POSITION_BY_KEY = "SELECT seq FROM event_keys WHERE event_id = ?1 AND correlation_id = ?2";

    /** Reads the index of the events without a key. */
    static final String POSITION_BY_SEARCH = """
        SELECT seq FROM events
        WHERE event_id = ?1 AND correlation_id = ?2 AND unkeyed = 1 AND first_claimed_at IS NULL LIMIT 1
        """;

    static final String CANCEL = """
        DELETE FROM events
        WHERE seq = ?1 AND event_id = ?2 AND correlation_id = ?3
            AND state IN (0, 2, 3) AND first_claimed_at IS NULL AND origin IS NULL
        RETURNING ordering_key
        """;

    static final String FORGET_KEY = "DELETE FROM event_keys WHERE seq = ?1";

    static final String LATEST_TIME = "SELECT latest_at FROM counters WHERE id = 1";
    static final String REPLACE_LATEST_TIME = "UPDATE counters SET latest_at = ?1 WHERE id = 1 AND latest_at = ?2";

    /** Reads all unfinished events. An event whose due time was set after the present keeps the length of its wait. */
    static final String MOVE_WAITS_BACK = """
        UPDATE events SET due_at = ?1 + max(0, due_at - due_set_at), due_set_at = ?1
        WHERE due_at > ?1 AND due_set_at > ?1 AND state <> 1
        """;

    /** Reads all unfinished events. Moves events that were published as due at once. */
    static final String MOVE_PUBLISHED_BACK = """
        UPDATE events SET due_at = ?1, due_set_at = ?1, published_due_at = coalesce(published_due_at, due_at)
        WHERE due_at > ?1 AND due_at <= created_at AND due_set_at IS NULL AND state <> 1
        """;

    static final String MOVE_LEASES_BACK =
            "UPDATE leases SET until_at = ?1 + until_at - set_at, set_at = ?1 WHERE set_at > ?1";

    private SqliteSql() {}
}

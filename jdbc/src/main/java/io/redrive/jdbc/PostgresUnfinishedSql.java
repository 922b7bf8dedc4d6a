package io.redrive.jdbc;

import io.redrive.events.journal.UnfinishedEvents;

/** The statements that look at unfinished events; {@link PostgresSchemaName} replaces the schema. */
final class PostgresUnfinishedSql {

    /** Jumps from one filled range of positions to the next. */
    private static final String RANGES = """
        WITH RECURSIVE ranges (range) AS (
            (SELECT seq >> 13 FROM redrive.events ORDER BY seq LIMIT 1)
            UNION ALL
            SELECT (
                SELECT next.seq >> 13 FROM redrive.events AS next
                WHERE next.seq >= (range + 1) << 13 ORDER BY next.seq LIMIT 1)
            FROM ranges WHERE range IS NOT NULL)
        """;

    private static final String ORDER = " ORDER BY seq LIMIT ?";

    /** Most events are found through their key; {@code unkeyed} marks all others. */
    static final String BY_ID = """
        SELECT seq FROM (
            SELECT keyed.seq
            FROM redrive.event_keys AS keyed
            CROSS JOIN LATERAL (SELECT seq FROM redrive.events WHERE events.seq = keyed.seq OFFSET 0) AS event
            WHERE keyed.event_id = ?
            UNION
            SELECT seq FROM redrive.events WHERE event_id = ? AND unkeyed) AS found""" + ORDER;

    /** Leases list the claimed events, which are few; the index has the events that wait or have waited. */
    static final String BY_CORRELATION = RANGES + """
        SELECT seq FROM (
            SELECT waited.seq FROM ranges CROSS JOIN LATERAL (
                SELECT seq FROM redrive.events
                WHERE seq >> 13 = range AND correlation_id = ? AND correlation_id <> '' AND NOT never_waited) AS waited
            UNION
            SELECT held.seq
            FROM (SELECT unnest(seqs) AS seq FROM redrive.leases) AS held
            CROSS JOIN LATERAL (
                SELECT 1 FROM redrive.events
                WHERE events.seq = held.seq AND correlation_id = ? AND correlation_id <> '' OFFSET 0) AS named) AS found\
        """ + ORDER;

    /** Reads all calls to lines: few, unless no node answers them. */
    static final String BY_KEY = """
        SELECT seq FROM (
            SELECT seq FROM redrive.lines WHERE ordering_key = ?
            UNION
            SELECT seq FROM redrive.line_calls WHERE ordering_key = ? AND seq IS NOT NULL) AS found""" + ORDER;

    static final String BY_NAME = """
        SELECT seq FROM (
            SELECT held.seq
            FROM (SELECT unnest(seqs) AS seq FROM redrive.leases) AS held
            CROSS JOIN LATERAL (
                SELECT 1 FROM redrive.events WHERE events.seq = held.seq AND name = ?) AS named
            UNION
            SELECT seq FROM redrive.aside WHERE queue IN (0, 1, 2, 3, 4) AND name = ?
            UNION
            SELECT examined.seq
            FROM (
                (SELECT seq FROM redrive.ready ORDER BY queue DESC, due_at DESC, seq DESC LIMIT %1$d)
                UNION ALL
                (SELECT seq FROM redrive.lines WHERE NOT active LIMIT %1$d)
                UNION ALL
                (SELECT seq FROM redrive.line_calls WHERE seq IS NOT NULL ORDER BY id LIMIT %1$d)) AS examined
            CROSS JOIN LATERAL (
                SELECT 1 FROM redrive.events WHERE events.seq = examined.seq AND name = ?) AS named) AS found\
        """.formatted(UnfinishedEvents.EXAMINED / 3) + ORDER;

    static final String WAITING = """
        SELECT seq FROM (
            (SELECT seq FROM redrive.ready WHERE queue = 0 ORDER BY due_at, seq LIMIT ?)
            UNION ALL (SELECT seq FROM redrive.ready WHERE queue = 1 ORDER BY due_at, seq LIMIT ?)
            UNION ALL (SELECT seq FROM redrive.ready WHERE queue = 2 ORDER BY due_at, seq LIMIT ?)
            UNION ALL (SELECT seq FROM redrive.ready WHERE queue = 3 ORDER BY due_at, seq LIMIT ?)
            UNION ALL (SELECT seq FROM redrive.ready WHERE queue = 4 ORDER BY due_at, seq LIMIT ?)
            UNION ALL (SELECT seq FROM redrive.ready WHERE queue = 5 ORDER BY due_at, seq LIMIT ?)
            UNION ALL (SELECT seq FROM redrive.ready WHERE queue = 6 ORDER BY due_at, seq LIMIT ?)
            UNION ALL (SELECT seq FROM redrive.ready WHERE queue = 7 ORDER BY due_at, seq LIMIT ?)
            UNION ALL (SELECT seq FROM redrive.lines WHERE NOT active LIMIT ?)
            UNION ALL (SELECT seq FROM redrive.line_calls WHERE seq IS NOT NULL ORDER BY id LIMIT ?)
            UNION ALL (SELECT seq FROM redrive.aside LIMIT ?)) AS found
        """;

    static final String EVENTS = """
        SELECT seq, coalesce(origin, seq), event_id, correlation_id, ordering_key, name, source, created_at,
            coalesce(failed, 0), coalesce(interrupted, 0), coalesce(crashed, 0), redrives, due_at,
            tallies.seq IS NOT NULL, last_delay
        FROM redrive.events LEFT JOIN redrive.tallies USING (seq)
        WHERE seq = ANY (?)
        ORDER BY seq
        """;

    /** Columns: position, number of the place, time, cause of a snooze, text, begin. */
    static final String PLACES = """
        SELECT held.seq, 0, until_at, 0, node, granted_at
        FROM redrive.leases CROSS JOIN LATERAL unnest(seqs) AS held (seq)
        WHERE held.seq = ANY (?)
        UNION ALL
        SELECT seq, 1, due_at, 0, (
            SELECT event_id
            FROM redrive.lines AS first JOIN redrive.events USING (seq)
            WHERE first.ordering_key = lines.ordering_key
            ORDER BY first.ticket LIMIT 1), 0
        FROM redrive.lines
        WHERE seq = ANY (?) AND NOT active
        UNION ALL
        SELECT seq, 2, due_at, 0, NULL, 0
        FROM redrive.aside
        WHERE queue IN (0, 1, 2, 3, 4) AND seq = ANY (?)
        UNION ALL
        SELECT seq, 3, due_at, waits, NULL, put_off_at
        FROM redrive.ready
        WHERE queue IN (0, 1, 2, 3, 4) AND seq = ANY (?)
        """;

    private PostgresUnfinishedSql() {}
}

package io.redrive.jdbc;

import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.UnfinishedEvent;
import io.redrive.events.journal.UnfinishedEvent.Why;
import io.redrive.events.journal.UnfinishedEvents;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Looks at the table of events. Each query reads indexes, or a limited part of the queues. */
record SqliteUnfinishedEvents(SqliteReaders readers) implements UnfinishedEvents {

    /** Due time, wait and decision are rounded to microseconds each. */
    private static final long ROUNDING = 1;

    private static final int READY = 0;
    private static final int CLAIMED = 1;
    private static final int BLOCKED = 2;

    /** The columns of {@link #event}. {@code behind} is the first unfinished event of the same key. */
    private static final String COLUMNS = """
        SELECT seq, coalesce(origin, seq), event_id, correlation_id, ordering_key, name, source, created_at,
            failed, interrupted, crashed, redrives, state, due_at, waits, first_claimed_at, last_delay,
            due_at - coalesce(due_set_at, due_at), leases.node, leases.until_at, leases.granted_at,
            CASE WHEN state = 2 THEN (
                SELECT first.event_id FROM events AS first
                WHERE first.ordering_key = events.ordering_key ORDER BY first.seq LIMIT 1) END
        FROM events LEFT JOIN leases ON state = 1 AND leases.token = events.token
        """;

    /** Jumps from one filled range of positions to the next. */
    private static final String RANGES = """
        WITH RECURSIVE ranges (range) AS (
            SELECT * FROM (SELECT seq >> 13 FROM events ORDER BY seq LIMIT 1)
            UNION ALL
            SELECT (SELECT next.seq >> 13 FROM events AS next WHERE next.seq >= (range + 1) << 13 ORDER BY next.seq LIMIT 1)
            FROM ranges WHERE range IS NOT NULL)
        """;

    private static final String ORDER = " ORDER BY seq LIMIT ?2";
    /** Positions of the events with this id: by their keys, and by the index of the events without a key. */
    private static final String POSITIONS_BY_ID = """
            SELECT keyed.seq FROM event_keys AS keyed WHERE keyed.event_id = ?1
            UNION ALL
            SELECT unkeyed.seq FROM events AS unkeyed WHERE unkeyed.event_id = ?1 AND unkeyed.unkeyed = 1""";

    static final String BY_ID = COLUMNS + "WHERE seq IN (\n" + POSITIONS_BY_ID + ") AND event_id = ?1" + ORDER;
    static final String BY_CORRELATION = RANGES + COLUMNS + """
        WHERE correlation_id = ?1 AND seq IN (
            SELECT found.seq FROM ranges CROSS JOIN events AS found
            WHERE found.seq >> 13 = range AND found.correlation_id = ?1
                AND found.correlation_id <> '' AND found.correlation_id <> found.event_id
            UNION ALL
        """ + POSITIONS_BY_ID + ")" + ORDER;
    private static final String BY_KEY = COLUMNS + "WHERE ordering_key = ?1" + ORDER;

    private static final String QUEUES = "WITH queues (queue) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7))\n";
    private static final String BY_NAME = QUEUES + COLUMNS + """
        WHERE seq IN (
            SELECT held.seq FROM leases AS l, json_each(l.seqs) CROSS JOIN events AS held
            WHERE held.seq = value AND held.state = 1 AND held.name = ?1
            UNION ALL
            SELECT aside.seq FROM queues CROSS JOIN events AS aside
            WHERE aside.state = 3 AND aside.queue = queues.queue AND aside.name = ?1
            UNION ALL
            SELECT part.seq FROM (
                SELECT ready.seq, ready.name FROM events AS ready
                WHERE ready.state = 0 AND ready.queue BETWEEN 0 AND 7
                LIMIT %1$d) AS part WHERE part.name = ?1
            UNION ALL
            SELECT part.seq FROM (
                SELECT blocked.seq, blocked.name FROM events AS blocked
                WHERE blocked.state = 2 ORDER BY blocked.due_at
                LIMIT %1$d) AS part WHERE part.name = ?1)""".formatted(EXAMINED / 2) + ORDER;

    private static final String WAITING = COLUMNS + """
        WHERE seq IN (
            SELECT seq FROM (SELECT seq FROM events WHERE state = 0 AND queue = 0 ORDER BY due_at, seq LIMIT ?1)
            UNION ALL
            SELECT seq FROM (SELECT seq FROM events WHERE state = 0 AND queue = 1 ORDER BY due_at, seq LIMIT ?1)
            UNION ALL
            SELECT seq FROM (SELECT seq FROM events WHERE state = 0 AND queue = 2 ORDER BY due_at, seq LIMIT ?1)
            UNION ALL
            SELECT seq FROM (SELECT seq FROM events WHERE state = 0 AND queue = 3 ORDER BY due_at, seq LIMIT ?1)
            UNION ALL
            SELECT seq FROM (SELECT seq FROM events WHERE state = 0 AND queue = 4 ORDER BY due_at, seq LIMIT ?1)
            UNION ALL
            SELECT seq FROM (SELECT seq FROM events WHERE state = 0 AND queue = 5 ORDER BY due_at, seq LIMIT ?1)
            UNION ALL
            SELECT seq FROM (SELECT seq FROM events WHERE state = 0 AND queue = 6 ORDER BY due_at, seq LIMIT ?1)
            UNION ALL
            SELECT seq FROM (SELECT seq FROM events WHERE state = 0 AND queue = 7 ORDER BY due_at, seq LIMIT ?1)
            UNION ALL
            SELECT seq FROM (SELECT seq FROM events WHERE state = 2 ORDER BY due_at LIMIT ?1)
            UNION ALL
            SELECT seq FROM (SELECT seq FROM events WHERE state = 3 LIMIT ?1))
        ORDER BY due_at, seq LIMIT ?1""";

    @Override
    public List<UnfinishedEvent> find(EventQuery query, int limit, Instant now) {
        SqlDeadLetters.requirePage(limit);
        String sql = switch (query.by()) {
            case ID -> BY_ID;
            case CORRELATION -> BY_CORRELATION;
            case KEY -> BY_KEY;
            case NAME -> BY_NAME;
        };
        return readers.read(session -> {
            PreparedStatement find = session.prepare(sql);
            find.setString(1, query.text());
            find.setInt(2, limit);
            return events(find, now);
        });
    }

    @Override
    public List<UnfinishedEvent> waiting(int limit, Instant now) {
        SqlDeadLetters.requirePage(limit);
        return readers.read(session -> {
            PreparedStatement waiting = session.prepare(WAITING);
            waiting.setInt(1, limit);
            return events(waiting, now);
        });
    }

    private static List<UnfinishedEvent> events(PreparedStatement statement, Instant now) throws SQLException {
        List<UnfinishedEvent> events = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                events.add(event(row, Micros.of(now)));
            }
        }
        return events;
    }

    private static UnfinishedEvent event(ResultSet row, long now) throws SQLException {
        return new UnfinishedEvent(
                row.getString(3),
                Optional.ofNullable(EventRows.nullIfEmpty(row.getString(4))),
                Optional.ofNullable(row.getString(5)),
                row.getString(6),
                row.getString(7),
                row.getLong(1),
                row.getLong(2),
                Micros.toInstant(row.getLong(8)),
                row.getInt(9),
                row.getInt(10),
                row.getInt(11),
                row.getInt(12),
                state(row, now));
    }

    private static UnfinishedEvent.State state(ResultSet row, long now) throws SQLException {
        int state = row.getInt(13);
        Instant due = Micros.toInstant(row.getLong(14));
        if (state == CLAIMED) {
            return new UnfinishedEvent.Claimed(
                    Optional.ofNullable(row.getString(19)).orElse(""), granted(row), Micros.toInstant(row.getLong(20)));
        }
        if (state == BLOCKED) {
            return new UnfinishedEvent.Waiting(due, Why.BEHIND, Optional.ofNullable(row.getString(22)));
        }
        if (state != READY) {
            return new UnfinishedEvent.Waiting(due, Why.SET_ASIDE, Optional.empty());
        }
        Why why = why(row, now);
        long delay = row.getLong(18);
        Optional<Instant> putOff = why != Why.READY && delay > 0
                ? Optional.of(Micros.toInstant(row.getLong(14) - delay))
                : Optional.empty();
        return new UnfinishedEvent.Waiting(due, why, Optional.empty(), putOff);
    }

    /** Returns when the lease was granted; empty when an earlier release granted the lease. */
    private static Optional<Instant> granted(ResultSet row) throws SQLException {
        long granted = row.getLong(21);
        return row.wasNull() ? Optional.empty() : Optional.of(Micros.toInstant(granted));
    }

    private static Why why(ResultSet row, long now) throws SQLException {
        if (row.getLong(14) <= now) {
            return Why.READY;
        }
        if (row.getInt(15) > 0) {
            return row.getInt(15) == 1 ? Why.PAUSED : Why.NO_TOKEN;
        }
        row.getLong(16);
        if (row.wasNull() && row.getLong(1) == row.getLong(2)) {
            return Why.DUE_TIME;
        }
        long delay = TimeUnit.NANOSECONDS.toMicros(row.getLong(17));
        return delay > 0 && Math.abs(delay - row.getLong(18)) <= ROUNDING ? Why.BACKOFF : Why.SNOOZED;
    }
}

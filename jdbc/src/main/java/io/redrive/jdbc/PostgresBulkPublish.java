package io.redrive.jdbc;

import io.redrive.events.Event;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Publishes many events in a few steps of one transaction: first the keys, whose answer tells which events are new, then the new
 * events and their places in the queue by {@code COPY}. One statement for all tables passes each row, with its payload, through
 * several lists inside the statement; the steps need further messages to the server, which pay only for many events.
 */
final class PostgresBulkPublish {

    /** Fewer events are published by one statement. */
    static final int LEAST = 100;

    private static final String KEYS = """
        WITH clock AS MATERIALIZED (
            SELECT coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) AS now
        )
        INSERT INTO redrive.event_keys AS known (event_id, correlation_id, seen_at)
        SELECT event_id, correlation_id, now
        FROM unnest(?::text[], ?::text[]) AS offered (event_id, correlation_id) CROSS JOIN clock
        ORDER BY event_id, correlation_id
        ON CONFLICT (event_id, correlation_id) DO UPDATE SET seen_at = excluded.seen_at
        WHERE known.seen_at <= excluded.seen_at - ?
        RETURNING event_id, correlation_id, seen_at, nextval('redrive.positions')
        """;

    private static final String COPY_EVENTS = """
        COPY redrive.events (
            seq, created_at, due_at, deadline_at, priority, event_id, correlation_id, name, source, ordering_key,
            content_type, headers, payload)
        FROM STDIN (FORMAT binary)
        """;
    private static final int EVENT_COLUMNS = 13;

    private static final String COPY_READY = "COPY redrive.ready (due_at, seq, size, queue) FROM STDIN (FORMAT binary)";
    private static final String COPY_CALLS =
            "COPY redrive.line_calls (ordering_key, seq, due_at, size, queue) FROM STDIN (FORMAT binary)";

    private static final int BYTES_BESIDE_PAYLOAD = 256;
    private static final int BYTES_IN_QUEUE = 64;

    private final PostgresSession session;
    private final List<Event> events;

    /** An event is told by id and correlation id. */
    record Key(String id, String correlationId) {
        static Key of(Event event) {
            return new Key(event.id(), EventRows.correlationId(event));
        }
    }

    PostgresBulkPublish(PostgresSession session, List<Event> events) {
        this.session = session;
        this.events = events;
    }

    /**
     * Publishes and returns the keys of the events that are new; the events have different keys.
     *
     * @param now the publisher's time, from which due times are counted
     * @param retention how long a key is remembered, in microseconds
     */
    Set<Key> publish(PostgresClock clock, Instant now, long retention) throws SQLException {
        Set<Key> fresh = new HashSet<>();
        List<Long> positions = new ArrayList<>();
        long databaseNow = 0;
        PreparedStatement keys = session.prepare(KEYS);
        clock.bind(keys, 1);
        keys.setArray(2, session.texts(events, Event::id));
        keys.setArray(3, session.texts(events, EventRows::correlationId));
        keys.setLong(4, retention);
        try (ResultSet row = keys.executeQuery()) {
            while (row.next()) {
                fresh.add(new Key(row.getString(1), row.getString(2)));
                databaseNow = row.getLong(3);
                positions.add(row.getLong(4));
            }
        }
        if (!fresh.isEmpty()) {
            // Keys are inserted in the order of keys, against deadlocks; positions follow the order of the call.
            positions.sort(null);
            List<Event> accepted = events.stream()
                    .filter(event -> fresh.contains(Key.of(event)))
                    .toList();
            store(accepted, positions);
            queue(accepted, positions, now, databaseNow);
        }
        return fresh;
    }

    private void store(List<Event> accepted, List<Long> positions) throws SQLException {
        long bytes = PublishLimits.bytes(accepted) + (long) BYTES_BESIDE_PAYLOAD * accepted.size();
        PostgresCopy rows = new PostgresCopy((int) Math.min(Integer.MAX_VALUE / 2, bytes));
        for (int i = 0; i < accepted.size(); i++) {
            Event event = accepted.get(i);
            rows.row(EVENT_COLUMNS)
                    .bigint(positions.get(i).longValue())
                    .bigint(Micros.of(event.created()))
                    .bigint(Micros.of(event.due()))
                    .bigint(event.deadline().map(Micros::of).orElse(null))
                    .smallint(event.priority().ordinal())
                    .text(event.id())
                    .text(EventRows.correlationId(event))
                    .text(event.name())
                    .text(event.source())
                    .text(event.orderingKey().orElse(null))
                    .text(event.contentType())
                    .text(StringMapJson.write(event.headers()))
                    .bytes(event.payload());
        }
        session.copy(COPY_EVENTS, rows.finished());
    }

    private void queue(List<Event> accepted, List<Long> positions, Instant now, long databaseNow) throws SQLException {
        PostgresCopy ready = new PostgresCopy(BYTES_IN_QUEUE * accepted.size());
        PostgresCopy calls = new PostgresCopy(BYTES_IN_QUEUE);
        int inLine = 0;
        for (int i = 0; i < accepted.size(); i++) {
            Event event = accepted.get(i);
            long due = databaseNow + Micros.between(now, event.due());
            if (event.orderingKey().isEmpty()) {
                ready.row(4).bigint(due).bigint(positions.get(i).longValue());
                ready.integer(event.payloadSize()).smallint(event.priority().ordinal());
            } else {
                inLine++;
                calls.row(5)
                        .text(event.orderingKey().get())
                        .bigint(positions.get(i).longValue());
                calls.bigint(due)
                        .integer(event.payloadSize())
                        .smallint(event.priority().ordinal());
            }
        }
        if (inLine < accepted.size()) {
            session.copy(COPY_READY, ready.finished());
        }
        if (inLine > 0) {
            session.copy(COPY_CALLS, calls.finished());
        }
    }
}

package io.redrive.jdbc;

import io.redrive.events.Event;
import io.redrive.events.HandledEvent;
import io.redrive.events.HandledSamples;
import io.redrive.events.cause.ServiceVersion;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The sample of handled events in a database of either dialect. A transaction that adds events begins with the rows of their
 * names, in alphabetical order: nodes that add events of the same names wait for each other there, and never in a circle.
 */
record SqlHandledSamples(SqlDeadLetters.Transactions transactions) implements HandledSamples {

    private static final String TOUCH = """
        INSERT INTO redrive.handled_names AS known (name, newest) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE
        SET newest = CASE WHEN excluded.newest > known.newest THEN excluded.newest ELSE known.newest END
        """;

    private static final String ADD = """
        INSERT INTO redrive.handled_samples (event_id, correlation_id, name, source, priority, ordering_key, content_type,
            headers, created_at, due_at, deadline, payload, payload_size, handled_at, node, version)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (name, handled_at, event_id) DO NOTHING
        """;

    private static final String TRIM = """
        DELETE FROM redrive.handled_samples
        WHERE name = ? AND (handled_at, event_id) <= (
            SELECT handled_at, event_id FROM redrive.handled_samples
            WHERE name = ? ORDER BY handled_at DESC, event_id DESC LIMIT 1 OFFSET ?)
        """;

    /** {@code %s} is {@link Dialect#forUpdateSkipLocked}. */
    private static final String TOO_MANY_NAMES =
            "SELECT name FROM redrive.handled_names ORDER BY newest DESC, name LIMIT ? OFFSET ?%s";

    private static final String FORGET_NAME = "DELETE FROM redrive.handled_names WHERE name = ?";

    private static final String FORGET_EVENTS = "DELETE FROM redrive.handled_samples WHERE name = ?";

    private static final String NEWEST = """
        SELECT event_id, correlation_id, name, source, priority, ordering_key, content_type, headers, created_at, due_at,
            deadline, payload, payload_size, handled_at, node, version
        FROM redrive.handled_samples WHERE name = ? ORDER BY handled_at DESC, event_id DESC LIMIT ?
        """;

    private static final String NAMES = "SELECT name FROM redrive.handled_names ORDER BY name LIMIT ?";

    /** {@code %s} is {@link Dialect#forUpdateSkipLocked}. */
    private static final String EXPIRE = """
        DELETE FROM redrive.handled_samples WHERE (name, handled_at, event_id) IN (
            SELECT name, handled_at, event_id FROM redrive.handled_samples
            WHERE handled_at < ? ORDER BY handled_at LIMIT ?%s)
        """;

    private static final String EXPIRE_NAMES = """
        DELETE FROM redrive.handled_names WHERE name IN (
            SELECT name FROM redrive.handled_names WHERE newest < ? ORDER BY newest%s)
        """;

    @Override
    public void add(List<HandledEvent> events) {
        List<HandledEvent> checked = HandledSamples.requireAddable(events);
        if (checked.isEmpty()) {
            return;
        }
        long bytes = checked.stream()
                .mapToLong(handled -> handled.event().payloadSize())
                .sum();
        TreeMap<String, Long> newest = new TreeMap<>();
        checked.forEach(handled -> newest.merge(handled.event().name(), Micros.of(handled.handledAt()), Math::max));
        transactions.write(bytes, session -> {
            touch(session, newest);
            insert(session, checked);
            for (String name : newest.keySet()) {
                trim(session, name);
            }
            return forgetNames(session);
        });
    }

    private static void touch(SqlSession session, Map<String, Long> newest) throws SQLException {
        PreparedStatement touch = session.prepare(TOUCH);
        for (Map.Entry<String, Long> name : newest.entrySet()) {
            touch.setString(1, name.getKey());
            touch.setLong(2, name.getValue());
            touch.addBatch();
        }
        touch.executeBatch();
    }

    private static void insert(SqlSession session, List<HandledEvent> events) throws SQLException {
        PreparedStatement add = session.prepare(ADD);
        for (HandledEvent handled : events) {
            bind(add, handled);
            add.addBatch();
        }
        add.executeBatch();
    }

    private static void bind(PreparedStatement add, HandledEvent handled) throws SQLException {
        Event event = handled.event();
        add.setString(1, event.id());
        add.setString(2, EventRows.correlationId(event));
        add.setString(3, event.name());
        add.setString(4, event.source());
        add.setInt(5, event.priority().ordinal());
        add.setString(6, event.orderingKey().orElse(null));
        add.setString(7, event.contentType());
        add.setString(8, StringMapJson.write(event.headers()));
        add.setLong(9, Micros.of(event.created()));
        add.setLong(10, Micros.of(event.due()));
        EventRows.bindInstant(add, 11, event.deadline());
        add.setBytes(12, event.payload());
        add.setInt(13, handled.payloadSize());
        add.setLong(14, Micros.of(handled.handledAt()));
        add.setString(15, handled.node());
        add.setString(16, handled.version().map(ServiceVersion::text).orElse(null));
    }

    private static void trim(SqlSession session, String name) throws SQLException {
        PreparedStatement trim = session.prepare(TRIM);
        trim.setString(1, name);
        trim.setString(2, name);
        trim.setInt(3, MAX_PER_NAME);
        trim.executeUpdate();
    }

    /** Removes the names beyond the limit, and their events. Returns the number of removed names. */
    private static int forgetNames(SqlSession session) throws SQLException {
        PreparedStatement find = session.prepare(TOO_MANY_NAMES.formatted(session.dialect().forUpdateSkipLocked));
        find.setInt(1, MAX_ADDED);
        find.setInt(2, MAX_NAMES);
        List<String> names = texts(find);
        for (String name : names) {
            for (String statement : List.of(FORGET_EVENTS, FORGET_NAME)) {
                PreparedStatement forget = session.prepare(statement);
                forget.setString(1, name);
                forget.executeUpdate();
            }
        }
        return names.size();
    }

    private static List<String> texts(PreparedStatement query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                texts.add(row.getString(1));
            }
        }
        return texts;
    }

    @Override
    public List<HandledEvent> newest(String name, int limit) {
        HandledSamples.requireLimit(limit, MAX_PER_NAME);
        return transactions.read(session -> {
            PreparedStatement newest = session.prepare(NEWEST);
            newest.setString(1, name);
            newest.setInt(2, limit);
            List<HandledEvent> found = new ArrayList<>();
            try (ResultSet row = newest.executeQuery()) {
                while (row.next()) {
                    found.add(handled(row));
                }
            }
            return found;
        });
    }

    private static HandledEvent handled(ResultSet row) throws SQLException {
        return new HandledEvent(
                EventRows.event(row),
                row.getInt(13),
                Micros.toInstant(row.getLong(14)),
                row.getString(15),
                Optional.ofNullable(row.getString(16)).flatMap(ServiceVersion::parse));
    }

    @Override
    public List<String> names(int limit) {
        HandledSamples.requireLimit(limit, MAX_NAMES);
        return transactions.read(session -> {
            PreparedStatement names = session.prepare(NAMES);
            names.setInt(1, limit);
            return texts(names);
        });
    }

    @Override
    public int expire(Instant before) {
        return transactions.write(0, session -> {
            String skipLocked = session.dialect().forUpdateSkipLocked;
            PreparedStatement expire = session.prepare(EXPIRE.formatted(skipLocked));
            expire.setLong(1, Micros.of(before));
            expire.setInt(2, EXPIRED_AT_ONCE);
            PreparedStatement names = session.prepare(EXPIRE_NAMES.formatted(skipLocked));
            names.setLong(1, Micros.of(before));
            names.executeUpdate();
            return expire.executeUpdate();
        });
    }
}

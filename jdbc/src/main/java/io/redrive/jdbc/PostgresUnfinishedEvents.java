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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the events, and at the tables that say where an event is. The statements read indexes, or a limited part of
 * the queues; the place of a found event is looked for in the index of its queue.
 */
record PostgresUnfinishedEvents(PostgresDatabase database, PostgresClock clock) implements UnfinishedEvents {

    @Override
    public List<UnfinishedEvent> find(EventQuery query, int limit, Instant now) {
        SqlDeadLetters.requirePage(limit);
        String sql = switch (query.by()) {
            case ID -> PostgresUnfinishedSql.BY_ID;
            case CORRELATION -> PostgresUnfinishedSql.BY_CORRELATION;
            case KEY -> PostgresUnfinishedSql.BY_KEY;
            case NAME -> PostgresUnfinishedSql.BY_NAME;
        };
        return database.hotTransaction(session -> {
            PreparedStatement find = session.prepare(sql);
            int parameters = find.getParameterMetaData().getParameterCount();
            for (int i = 1; i < parameters; i++) {
                find.setString(i, query.text());
            }
            find.setInt(parameters, limit);
            return located(session, seqs(find), now);
        });
    }

    @Override
    public List<UnfinishedEvent> waiting(int limit, Instant now) {
        SqlDeadLetters.requirePage(limit);
        return database.hotTransaction(session -> {
            PreparedStatement waiting = session.prepare(PostgresUnfinishedSql.WAITING);
            int parameters = waiting.getParameterMetaData().getParameterCount();
            for (int i = 1; i <= parameters; i++) {
                waiting.setInt(i, limit);
            }
            List<UnfinishedEvent> events = new ArrayList<>(located(session, seqs(waiting), now));
            events.removeIf(event -> event.state() instanceof UnfinishedEvent.Claimed);
            events.sort(Comparator.comparing((UnfinishedEvent event) -> ((UnfinishedEvent.Waiting) event.state()).due())
                    .thenComparingLong(UnfinishedEvent::position));
            return events.subList(0, Math.min(limit, events.size()));
        });
    }

    private static List<Long> seqs(PreparedStatement statement) throws SQLException {
        List<Long> seqs = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                seqs.add(row.getLong(1));
            }
        }
        return seqs;
    }

    /** Reads the events at these positions, and where each of them is. */
    private List<UnfinishedEvent> located(PostgresSession session, List<Long> seqs, Instant now) throws SQLException {
        if (seqs.isEmpty()) {
            return List.of();
        }
        PreparedStatement clockRead = session.prepare(PostgresSql.NOW);
        clock.bind(clockRead, 1);
        long at;
        try (ResultSet row = clockRead.executeQuery()) {
            row.next();
            at = row.getLong(1);
        }
        // Times are shown on the caller's clock.
        long ahead = at - Micros.of(now);
        Map<Long, Place> places = places(session, seqs);
        PreparedStatement read = session.prepare(PostgresUnfinishedSql.EVENTS);
        read.setArray(1, session.bigints(seqs));
        List<UnfinishedEvent> events = new ArrayList<>();
        try (ResultSet row = read.executeQuery()) {
            while (row.next()) {
                events.add(event(row, places.get(row.getLong(1)), at, ahead));
            }
        }
        return events;
    }

    /**
     * Where an event is.
     *
     * @param kind the number of the table, as {@link PostgresUnfinishedSql#PLACES} counts
     * @param due when the event may be claimed, or when its lease ends
     * @param waits the ordinal of the cause of a snooze
     * @param text the node of a claim, or the id of the first event of a line
     * @param since when the lease was granted, or when the due time was set; null where a release before this one wrote the row
     */
    private record Place(
            int kind,
            long due,
            int waits,
            @Nullable String text,
            @Nullable Long since) {}

    /** Due time, wait and decision are rounded to microseconds each. */
    private static final long ROUNDING = 1;

    private static final int HELD = 0;
    private static final int IN_LINE = 1;
    private static final int ASIDE = 2;

    private static Map<Long, Place> places(PostgresSession session, List<Long> seqs) throws SQLException {
        PreparedStatement find = session.prepare(PostgresUnfinishedSql.PLACES);
        for (int i = 1; i <= 4; i++) {
            find.setArray(i, session.bigints(seqs));
        }
        Map<Long, Place> places = new HashMap<>();
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                places.putIfAbsent(
                        row.getLong(1),
                        new Place(row.getInt(2), row.getLong(3), row.getInt(4), row.getString(5), nullable(row, 6)));
            }
        }
        return places;
    }

    private static UnfinishedEvent event(ResultSet row, @Nullable Place place, long now, long ahead)
            throws SQLException {
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
                state(row, place, now, ahead));
    }

    private static UnfinishedEvent.State state(ResultSet row, @Nullable Place place, long now, long ahead)
            throws SQLException {
        if (place == null) {
            // A call to its line that no exchange has answered.
            long due = row.getLong(13);
            Why why = due > now ? Why.DUE_TIME : Why.READY;
            return new UnfinishedEvent.Waiting(Micros.toInstant(due), why, Optional.empty());
        }
        Instant due = Micros.toInstant(place.due() - ahead);
        return switch (place.kind()) {
            case HELD ->
                new UnfinishedEvent.Claimed(
                        Optional.ofNullable(place.text()).orElse(""),
                        Optional.ofNullable(place.since()).map(since -> Micros.toInstant(since - ahead)),
                        due);
            case IN_LINE -> new UnfinishedEvent.Waiting(due, Why.BEHIND, Optional.ofNullable(place.text()));
            case ASIDE -> new UnfinishedEvent.Waiting(due, Why.SET_ASIDE, Optional.empty());
            default -> ready(place, due, why(row, place, now), ahead);
        };
    }

    private static UnfinishedEvent.Waiting ready(Place place, Instant due, Why why, long ahead) {
        Optional<Instant> putOff = why == Why.READY
                ? Optional.empty()
                : Optional.ofNullable(place.since()).map(since -> Micros.toInstant(since - ahead));
        return new UnfinishedEvent.Waiting(due, why, Optional.empty(), putOff);
    }

    private static @Nullable Long nullable(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    private static Why why(ResultSet row, Place place, long now) throws SQLException {
        if (place.due() <= now) {
            return Why.READY;
        }
        if (place.waits() > 0) {
            return place.waits() == 1 ? Why.PAUSED : Why.NO_TOKEN;
        }
        boolean isBegun = row.getBoolean(14);
        if (!isBegun && row.getLong(1) == row.getLong(2)) {
            return Why.DUE_TIME;
        }
        long delay = TimeUnit.NANOSECONDS.toMicros(row.getLong(15));
        Long putOff = place.since();
        boolean isRetry = putOff == null ? row.getInt(9) > 0 : Math.abs(place.due() - putOff - delay) <= ROUNDING;
        return delay > 0 && isRetry ? Why.BACKOFF : Why.SNOOZED;
    }
}

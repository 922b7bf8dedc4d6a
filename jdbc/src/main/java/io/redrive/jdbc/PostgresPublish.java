package io.redrive.jdbc;

import io.redrive.events.Event;
import io.redrive.events.PublishResult;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Publishes many events, and detects duplicates, in one statement. */
final class PostgresPublish {

    /** The server keeps the input of a statement in its working memory. */
    private static final long MAX_STATEMENT_BYTES = 2L * 1024 * 1024;

    private static final int FORGOTTEN_PER_STEP = 10_000;

    private final PostgresClock clock;
    private final long retention;

    PostgresPublish(PostgresClock clock, Duration keyRetention) {
        this.clock = clock;
        retention = Micros.of(Instant.EPOCH.plus(keyRetention));
    }

    /** True when {@link #publish} takes one statement, which needs no transaction around it. */
    static boolean isOneStatement(List<Event> events) {
        return PublishLimits.bytes(events) <= MAX_STATEMENT_BYTES;
    }

    List<PublishResult> publish(PostgresSession session, List<Event> events, Instant now) throws SQLException {
        PublishResult[] results = new PublishResult[events.size()];
        List<Offer> offers = new ArrayList<>();
        long bytes = 0;
        for (Offer offer : firstOfEachKey(events)) {
            long size = PublishLimits.bytes(List.of(offer.event()));
            if (!offers.isEmpty() && bytes + size > MAX_STATEMENT_BYTES) {
                offer(session, offers, now, results);
                offers.clear();
                bytes = 0;
            }
            offers.add(offer);
            bytes += size;
        }
        if (!offers.isEmpty()) {
            offer(session, offers, now, results);
        }
        for (int i = 0; i < results.length; i++) {
            if (results[i] == null) {
                results[i] = LetterReads.duplicate(session, events.get(i));
            }
        }
        return List.of(results);
    }

    /** An event and its index in the call. */
    private record Offer(int index, Event event) {}

    /** Leaves out duplicates within the call: a statement detects only duplicates of earlier statements. */
    private static List<Offer> firstOfEachKey(List<Event> events) {
        record Key(String id, String correlationId) {}
        Set<Key> seen = new HashSet<>();
        List<Offer> offers = new ArrayList<>(events.size());
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            if (seen.add(new Key(event.id(), EventRows.correlationId(event)))) {
                offers.add(new Offer(i, event));
            }
        }
        return offers;
    }

    private void offer(PostgresSession session, List<Offer> offers, Instant now, PublishResult[] results)
            throws SQLException {
        List<Event> events = offers.stream().map(Offer::event).toList();
        PreparedStatement publish = session.prepare(PostgresSql.PUBLISH);
        bind(session, publish, events, now);
        try (ResultSet row = publish.executeQuery()) {
            row.next();
            Array accepted = row.getArray(1);
            if (accepted == null) {
                offers.forEach(offer -> results[offer.index()] = PublishResult.ACCEPTED);
                return;
            }
            for (Integer number : (Integer[]) accepted.getArray()) {
                results[offers.get(number - 1).index()] = PublishResult.ACCEPTED;
            }
        }
    }

    private void bind(PostgresSession session, PreparedStatement publish, List<Event> events, Instant now)
            throws SQLException {
        int at = 0;
        clock.bind(publish, ++at);
        publish.setLong(++at, retention);
        publish.setArray(++at, session.texts(events, Event::id));
        publish.setArray(++at, session.texts(events, EventRows::correlationId));
        publish.setArray(++at, session.texts(events, Event::name));
        publish.setArray(++at, session.texts(events, Event::source));
        publish.setArray(
                ++at, session.integers(events, event -> event.priority().ordinal()));
        publish.setArray(
                ++at, session.textsIfAny(events, event -> event.orderingKey().orElse(null)));
        publish.setArray(++at, session.texts(events, Event::contentType));
        publish.setArray(++at, session.textsIfAny(events, event -> StringMapJson.write(event.headers())));
        publish.setArray(++at, session.bigints(events, event -> Micros.of(event.created())));
        publish.setArray(++at, session.bigints(events, event -> Micros.of(event.due())));
        publish.setArray(++at, session.bigints(events, event -> Micros.between(now, event.due())));
        publish.setArray(
                ++at,
                session.bigintsIfAny(
                        events, event -> event.deadline().map(Micros::of).orElse(null)));
        publish.setArray(++at, session.integers(events, Event::payloadSize));
        publish.setArray(++at, session.bytes(events, Event::payload));
    }

    int forgetKeys(PostgresSession session, PostgresLowWater.Scan scan) throws SQLException {
        PreparedStatement forget = session.prepare(PostgresSql.FORGET_KEYS);
        forget.setLong(1, scan.from().major());
        clock.bind(forget, 2);
        forget.setLong(3, retention);
        forget.setInt(4, FORGOTTEN_PER_STEP);
        int forgotten = 0;
        long last = scan.from().major();
        try (ResultSet row = forget.executeQuery()) {
            for (; row.next(); forgotten++) {
                last = Math.max(last, row.getLong(1));
            }
        }
        scan.reach(last, 0);
        return forgotten;
    }
}

package io.redrive.jdbc;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.ImmediateClaim;
import io.redrive.events.PublishResult;
import io.redrive.events.PublishedEvents;
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
import org.jspecify.annotations.Nullable;

/** Publishes many events, detects duplicates, and claims some of the new events, in one statement. */
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

    PublishedEvents publish(PostgresSession session, List<Event> events, ImmediateClaim claim, Instant now)
            throws SQLException {
        Call call = new Call(session, events, claim, now);
        List<Offer> offers = new ArrayList<>();
        long bytes = 0;
        for (Offer offer : firstOfEachKey(events)) {
            long size = PublishLimits.bytes(List.of(offer.event()));
            if (!offers.isEmpty() && bytes + size > MAX_STATEMENT_BYTES) {
                offer(call, offers);
                offers.clear();
                bytes = 0;
            }
            offers.add(offer);
            bytes += size;
        }
        if (!offers.isEmpty()) {
            offer(call, offers);
        }
        for (int i = 0; i < call.results.length; i++) {
            if (call.results[i] == null) {
                call.results[i] = LetterReads.duplicate(session, events.get(i));
            }
        }
        return new PublishedEvents(List.of(call.results), call.claims);
    }

    /** A call of publish, and what is known of its result. */
    private static final class Call {
        private final PostgresSession session;
        private final ImmediateClaim claim;
        private final Instant now;
        private final PublishResult[] results;
        private final List<Claim> claims = new ArrayList<>();

        Call(PostgresSession session, List<Event> events, ImmediateClaim claim, Instant now) {
            this.session = session;
            this.claim = claim;
            this.now = Micros.toInstant(Micros.of(now));
            results = new PublishResult[events.size()];
        }

        boolean wants(Offer offer) {
            return claim.includes(offer.index(), offer.event(), now);
        }

        /** Adds the claims of the wanted events that were accepted, which have these positions in this order. */
        void claimed(List<Offer> offers, long token, Long[] positions) {
            int next = 0;
            for (Offer offer : offers) {
                if (results[offer.index()] == PublishResult.ACCEPTED && wants(offer)) {
                    claims.add(
                            new Claim(offer.event(), positions[next++], token, Attempts.NONE, now, Duration.ZERO, 0));
                }
            }
        }
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

    private void offer(Call call, List<Offer> offers) throws SQLException {
        PreparedStatement publish = call.session.prepare(PostgresSql.PUBLISH);
        bind(call, publish, offers);
        try (ResultSet row = publish.executeQuery()) {
            row.next();
            Array accepted = row.getArray(1);
            if (accepted == null) {
                offers.forEach(offer -> call.results[offer.index()] = PublishResult.ACCEPTED);
            } else {
                for (Integer number : (Integer[]) accepted.getArray()) {
                    call.results[offers.get(number - 1).index()] = PublishResult.ACCEPTED;
                }
            }
            Array claimed = row.getArray(3);
            if (claimed != null) {
                call.claimed(offers, row.getLong(2), (Long[]) claimed.getArray());
            }
        }
    }

    private void bind(Call call, PreparedStatement publish, List<Offer> offers) throws SQLException {
        PostgresSession session = call.session;
        List<Event> events = offers.stream().map(Offer::event).toList();
        Wanted wanted = Wanted.of(call, offers);
        int at = 0;
        clock.bind(publish, ++at);
        publish.setLong(++at, retention);
        publish.setArray(++at, session.texts(events, Event::id));
        publish.setArray(++at, session.sharedTexts(events, EventRows::correlationId));
        publish.setArray(++at, session.sharedTexts(events, Event::name));
        publish.setArray(++at, session.sharedTexts(events, Event::source));
        publish.setArray(
                ++at, session.sharedIntegers(events, event -> event.priority().ordinal()));
        publish.setArray(
                ++at, session.textsIfAny(events, event -> event.orderingKey().orElse(null)));
        publish.setArray(++at, session.sharedTexts(events, Event::contentType));
        publish.setArray(++at, session.textsIfAny(events, event -> StringMapJson.write(event.headers())));
        publish.setArray(++at, session.bigints(events, event -> Micros.of(event.created())));
        boolean dueAtOnce = events.stream().allMatch(event -> event.due().equals(event.created()));
        publish.setArray(++at, dueAtOnce ? null : session.bigints(events, event -> Micros.of(event.due())));
        publish.setArray(
                ++at,
                wanted == Wanted.ALL ? null : session.bigints(events, event -> Micros.between(call.now, event.due())));
        publish.setArray(
                ++at,
                session.bigintsIfAny(
                        events, event -> event.deadline().map(Micros::of).orElse(null)));
        publish.setArray(++at, wanted == Wanted.ALL ? null : session.sharedIntegers(events, Event::payloadSize));
        publish.setArray(++at, session.bytes(events, Event::payload));
        publish.setArray(++at, wanted.flags(call, offers));
        publish.setString(++at, call.claim.node());
        publish.setLong(++at, Micros.between(call.now, call.now.plus(call.claim.lease())));
    }

    /** How many of the offered events the call wants to claim. */
    private enum Wanted {
        NONE,
        SOME,
        ALL;

        static Wanted of(Call call, List<Offer> offers) {
            long wanted = offers.stream().filter(call::wants).count();
            if (wanted == 0) {
                return NONE;
            }
            return wanted == offers.size() ? ALL : SOME;
        }

        @Nullable
        Array flags(Call call, List<Offer> offers) throws SQLException {
            if (this == NONE) {
                return null;
            }
            return this == ALL
                    ? call.session.booleans(offers.subList(0, 1), call::wants)
                    : call.session.booleans(offers, call::wants);
        }
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

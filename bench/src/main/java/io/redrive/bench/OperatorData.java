package io.redrive.bench;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.HandledEvent;
import io.redrive.events.HandledSamples;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Fills a store with dead letters, by one statement, and with finished events. The store's own triggers count the letters; the
 * last letters die as in production, in small settlements whose counts no housekeeping has folded yet.
 */
final class OperatorData {

    static final int NAMES = 20;
    /** Events of a few names share a cause. */
    private static final int NAMES_OF_A_CAUSE = 3;

    /** Causes of very different sizes: the first has half of the letters, the second a quarter, and so on. */
    static final int LARGE_CAUSES = 6;
    /** The letters of no large cause are spread over so many causes. */
    static final int SMALL_CAUSES = 300;

    static final int EVENTS_OF_A_CHAIN = 4;
    /** Letters that die one settlement after the other. */
    static final int FRESH_LETTERS = 1_000;

    private static final int LETTERS_OF_A_SETTLEMENT = 5;
    private static final int PUBLISHED_AT_ONCE = 5_000;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String COLUMNS =
            "(origin, reason, error_type, last_error, fingerprint, service, failed, interrupted, crashed, redrives,"
                    + " auto_redrives, dead_at, event_id, correlation_id, name, source, priority, content_type,"
                    + " created_at, due_at, payload)";
    private static final String NUMBER_OF_CAUSE = "(CASE WHEN i %% 2 = 0 THEN 0 WHEN i %% 4 = 1 THEN 1 WHEN i %% 8 = 3"
            + " THEN 2 WHEN i %% 16 = 7 THEN 3 WHEN i %% 32 = 15 THEN 4 WHEN i %% 64 = 31 THEN 5 ELSE " + LARGE_CAUSES
            + " + i / 64 %% " + SMALL_CAUSES + " END)";
    private static final String VALUES =
            " SELECT -i, CASE WHEN i %% 5 = 0 THEN 'timeout' ELSE 'max_attempts_exceeded' END, 'IOException',"
                    + " 'connection to host-' || (i / 7 %% 1000) || ' refused', 'cause-' || " + NUMBER_OF_CAUSE
                    + ", 'bench', 3, 0, 0, 0, 0, 1767225600000000 + i, 'dead-' || i, 'dead-chain-' || i,"
                    + " 'order.name' || ((" + NUMBER_OF_CAUSE + " + i / 128 %% " + NAMES_OF_A_CAUSE + ") %% " + NAMES
                    + "), 'bench', 1, 'application/json', 1767225600000000,"
                    + " 1767225600000000, %s FROM ";
    private static final String PAYLOAD = "'{\"order\":' || i || ',\"currency\":\"XBT\",\"amount\":' || (i %% 500)"
            + " || ',\"customer\":{\"id\":' || (i %% 9000) || ',\"country\":\"CH\"},\"note\":\"a note of some length\"}'";
    private static final String CAUSES = "INSERT INTO %1$scauses (fingerprint, error_type, example, first_seen_at)"
            + " SELECT fingerprint, 'IOException', 'connection refused', min(dead_at) FROM %1$sdead_letters"
            + " GROUP BY fingerprint";
    private static final String SIGHTINGS =
            "INSERT INTO %1$scause_sightings (fingerprint, day, name, version, letters, first_at, last_at)"
                    + " SELECT fingerprint, dead_at / 86400000000, name, '', count(*), min(dead_at), max(dead_at)"
                    + " FROM %1$sdead_letters GROUP BY fingerprint, dead_at / 86400000000, name";

    private OperatorData() {}

    static void sqliteLetters(String file, int letters) throws SQLException {
        execute(
                "jdbc:sqlite:" + file,
                "WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < " + letters
                        + ") INSERT INTO dead_letters " + COLUMNS
                        + VALUES.formatted("CAST(" + PAYLOAD.formatted() + " AS BLOB)") + "numbers",
                CAUSES.formatted(""),
                SIGHTINGS.formatted(""));
    }

    static void postgresLetters(String url, String schema, int letters) throws SQLException {
        execute(
                url,
                "INSERT INTO " + schema + ".dead_letters " + COLUMNS
                        + VALUES.formatted("convert_to(" + PAYLOAD.formatted() + ", 'UTF8')") + "generate_series(1, "
                        + letters + ") AS i",
                CAUSES.formatted(schema + "."),
                SIGHTINGS.formatted(schema + "."),
                "VACUUM ANALYZE " + schema + ".dead_letters");
    }

    static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Folds counts as housekeeping does, then lets some more events die, a few in each settlement. */
    static void freshLetters(EventStore store) {
        while (store.expire(Instant.now()) > 0) {
            // The next step folds more.
        }
        for (int from = 0; from < FRESH_LETTERS; from += LETTERS_OF_A_SETTLEMENT) {
            publish(store, "fresh-", from, LETTERS_OF_A_SETTLEMENT);
            settle(store, OperatorData::dead);
        }
    }

    private static Settlement dead(Claim claim) {
        AttemptRecord attempt = new AttemptRecord(
                1, NOW, "bench", Duration.ofMillis(3), "IOException", "connection refused", "dead", "because");
        return new Settlement.Dead(claim, Reason.TIMEOUT, attempt, "cause-" + claim.position() % LARGE_CAUSES, "bench");
    }

    /** Publishes events, thousands at a time, and settles them without a pipeline. */
    static void finished(EventStore store, int events, Consumer<String> progress) {
        for (int from = 0; from < events; from += PUBLISHED_AT_ONCE) {
            publish(store, "done-", from, Math.min(PUBLISHED_AT_ONCE, events - from));
            settle(store, claim -> new Settlement.Done(claim, "bench", Duration.ofMillis(3)));
            if (from % 500_000 == 0) {
                progress.accept(from + " of " + events + " finished events");
            }
        }
    }

    /** Adds a full sample of handled events for each name. */
    static void samples(EventStore store) {
        for (int name = 0; name < NAMES; name++) {
            List<HandledEvent> handled = new ArrayList<>();
            for (int i = 0; i < HandledSamples.MAX_PER_NAME; i++) {
                Event event = event("order.name" + name, "handled-" + name + "-" + i, i)
                        .json("{\"order\":" + i + ",\"currency\":\"CHF\",\"amount\":" + i % 500
                                + ",\"customer\":{\"id\":" + i
                                + ",\"country\":\"CH\"},\"note\":\"a note of some length\"}")
                        .build();
                handled.add(HandledEvent.of(event, NOW.plusMillis(i), "bench", Optional.empty()));
            }
            store.samples().add(handled);
        }
    }

    private static void publish(EventStore store, String id, int from, int count) {
        List<Event> some = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            some.add(event("order.name" + i % NAMES, id + i, i).build());
        }
        store.publish(some, Instant.now());
    }

    private static Event.Builder event(String name, String id, int number) {
        return Event.named(name)
                .id(id)
                .correlationId("chain-" + number / EVENTS_OF_A_CHAIN)
                .source("bench")
                .created(NOW);
    }

    private static void settle(EventStore store, Function<Claim, Settlement> as) {
        List<Settlement> settlements = List.of();
        do {
            ClaimRequest request = new ClaimRequest(
                    "bench", Lane.DOMAIN, ClaimRequest.MAX_DEMAND, false, Duration.ofMinutes(5), Instant.now());
            List<Claim> claims =
                    store.exchange(settlements, List.of(request), Instant.now()).claims();
            settlements = claims.stream().map(as).toList();
        } while (!settlements.isEmpty());
    }
}

package io.redrive.bench;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
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
import java.util.function.Consumer;

/** Fills a store with dead letters, by one statement, and with finished events. */
final class OperatorData {

    static final int NAMES = 20;
    static final int CAUSES = 50;
    static final int EVENTS_OF_A_CHAIN = 4;

    private static final int PUBLISHED_AT_ONCE = 5_000;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String COLUMNS =
            "(origin, reason, error_type, last_error, fingerprint, service, failed, interrupted, crashed, redrives,"
                    + " auto_redrives, dead_at, event_id, correlation_id, name, source, priority, content_type,"
                    + " created_at, due_at, payload)";
    private static final String VALUES = " SELECT -i, 'max_attempts_exceeded', 'IOException',"
            + " 'connection to host-' || (i %% 1000) || ' refused', 'cause-' || (i %% " + CAUSES
            + "), 'bench', 3, 0, 0, 0, 0, 1767225600000000 + i, 'dead-' || i, 'dead-chain-' || i,"
            + " 'order.name' || (i %% " + NAMES + "), 'bench', 1, 'application/json', 1767225600000000,"
            + " 1767225600000000, %s FROM ";
    private static final String PAYLOAD = "'{\"order\":' || i || ',\"note\":\"' || 'a note of some length' || '\"}'";

    private OperatorData() {}

    static void sqliteLetters(String file, int letters) throws SQLException {
        execute(
                "jdbc:sqlite:" + file,
                "WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < " + letters
                        + ") INSERT INTO dead_letters " + COLUMNS
                        + VALUES.formatted("CAST(" + PAYLOAD + " AS BLOB)") + "numbers");
    }

    static void postgresLetters(String url, String schema, int letters) throws SQLException {
        execute(
                url,
                "INSERT INTO " + schema + ".dead_letters " + COLUMNS
                        + VALUES.formatted("convert_to(" + PAYLOAD + ", 'UTF8')") + "generate_series(1, " + letters
                        + ") AS i");
        execute(url, "VACUUM ANALYZE " + schema + ".dead_letters");
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Publishes events, thousands at a time, and settles them without a pipeline. */
    static void finished(EventStore store, int events, Consumer<String> progress) {
        for (int from = 0; from < events; from += PUBLISHED_AT_ONCE) {
            List<Event> some = new ArrayList<>();
            for (int i = from; i < Math.min(events, from + PUBLISHED_AT_ONCE); i++) {
                some.add(Event.named("order.name" + i % NAMES)
                        .id("done-" + i)
                        .correlationId("chain-" + i / EVENTS_OF_A_CHAIN)
                        .source("bench")
                        .created(NOW)
                        .build());
            }
            store.publish(some, Instant.now());
            settle(store);
            if (from % 500_000 == 0) {
                progress.accept(from + " of " + events + " finished events");
            }
        }
    }

    private static void settle(EventStore store) {
        List<Settlement> settlements = List.of();
        do {
            ClaimRequest request = new ClaimRequest(
                    "bench", Lane.DOMAIN, ClaimRequest.MAX_DEMAND, false, Duration.ofMinutes(5), Instant.now());
            List<Claim> claims =
                    store.exchange(settlements, List.of(request), Instant.now()).claims();
            settlements = claims.stream()
                    .<Settlement>map(claim -> new Settlement.Done(claim, "bench", Duration.ofMillis(3)))
                    .toList();
        } while (!settlements.isEmpty());
    }
}

package io.redrive.bench;

import io.redrive.events.EventStore;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityReport;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.events.activity.NameActivity;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;

/** Fills a store with dead letters of many causes, which died during the last two weeks, by a few statements. */
final class ConsoleData {

    static final int NAMES = 40;
    private static final long DAY = Duration.ofDays(1).toSeconds() * 1_000_000;
    private static final Duration SPAN = Duration.ofDays(14);
    private static final int MINUTES = 60;
    private static final int DURATIONS = 50;
    private static final String NOTE = "a note of some length, as payloads have";

    private final int letters;
    private final int causes;
    private final long start;
    private final long step;

    ConsoleData(int letters, int causes) {
        this.letters = letters;
        this.causes = causes;
        step = SPAN.toSeconds() * 1_000_000 / letters;
        start = Instant.now().minus(SPAN).getEpochSecond() * 1_000_000;
    }

    void sqlite(String file) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < "
                    + letters + ") " + insert("", "CAST(%s AS BLOB)") + " FROM numbers");
            causes(statement, "");
            connection.commit();
            connection.setAutoCommit(true);
            statement.execute("ANALYZE");
        }
    }

    void postgres(String url, String schema) throws SQLException {
        String prefix = schema + ".";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    insert(prefix, "convert_to(%s, 'UTF8')") + " FROM generate_series(1, " + letters + ") AS i");
            causes(statement, prefix);
            statement.execute("VACUUM ANALYZE");
        }
    }

    private String insert(String prefix, String payload) {
        String at = "(" + start + " + i * CAST(" + step + " AS bigint))";
        String json =
                "'{\"order\":' || i || ',\"customer\":{\"id\":\"c-' || (i % 900) || '\",\"country\":\"CH\"},\"note\":\""
                        + NOTE + "\"}'";
        return "INSERT INTO " + prefix
                + "dead_letters (origin, reason, error_type, last_error, fingerprint, service, failed, interrupted, crashed,"
                + " redrives, auto_redrives, dead_at, event_id, correlation_id, name, source, priority, content_type,"
                + " created_at, due_at, payload) SELECT -i, CASE WHEN i % 5 = 0 THEN 'not_retryable' ELSE 'max_attempts_exceeded' END,"
                + " 'Error' || (i % 30), 'the call of host-' || (i % 1000) || ' was refused', 'cause-' || (i % "
                + causes
                + "), 'bench', 3, 0, 0, 0, 0, " + at + ", 'dead-' || i, 'chain-' || (i / 4), 'order.name' || (i % "
                + causes + " % " + NAMES + "), 'bench', 1, 'application/json', " + at + ", " + at + ", "
                + payload.formatted(json);
    }

    /** Writes the activity of the last hour as two nodes do, for the names of the letters. */
    static void activity(EventStore store) {
        Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES);
        DurationHistogram.Builder times = new DurationHistogram.Builder();
        for (int i = 0; i < DURATIONS; i++) {
            times.add(Duration.ofMillis(1L + i * i % DURATIONS));
        }
        DurationHistogram histogram = times.build();
        ActivityTotals totals = new ActivityTotals(new ActivityCounts(120, 0, 115, 6, 1, 20, 0), histogram, histogram);
        List<NameActivity> names = IntStream.range(0, NAMES)
                .mapToObj(i -> new NameActivity("order.name" + i, totals))
                .toList();
        for (int back = 0; back < MINUTES; back++) {
            for (String node : List.of("bench-1", "bench-2")) {
                store.activity()
                        .write(new ActivityReport(node, minute.minus(Duration.ofMinutes(back)), names, List.of()));
            }
        }
    }

    /** Writes the causes as nodes write them beside letters. */
    private static void causes(Statement statement, String prefix) throws SQLException {
        statement.execute("INSERT INTO " + prefix + "causes (fingerprint, error_type, example, first_seen_at)"
                + " SELECT fingerprint, min(error_type), min(last_error), min(dead_at) FROM " + prefix
                + "dead_letters GROUP BY fingerprint");
        statement.execute("INSERT INTO " + prefix
                + "cause_sightings (fingerprint, day, name, version, letters, first_at, last_at) SELECT fingerprint,"
                + " dead_at / " + DAY + ", name, '1.0', count(*), min(dead_at), max(dead_at) FROM " + prefix
                + "dead_letters GROUP BY fingerprint, dead_at / " + DAY + ", name");
    }
}

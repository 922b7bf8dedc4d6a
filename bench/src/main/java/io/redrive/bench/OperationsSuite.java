package io.redrive.bench;

import io.redrive.events.EventStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteOptions;
import io.redrive.jdbc.SqliteStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What operators ask a store, and the cost of what a store remembers for operators, on SQLite and PostgreSQL. */
final class OperationsSuite implements Suite {

    private static final Options.Option LETTERS =
            Options.Option.number("--letters", OperatorQueries.LEAST_LETTERS, "dead letters; 1,000,000 without it");
    private static final Options.Option FINISHED =
            Options.Option.number("--finished", "finished events; 10,000,000 without it");
    private static final Options.Option INDEXES = Options.Option.flag(
            "--indexes", "measure only the rates with and without the indexes of unfinished events");
    private static final List<String> WITHOUT_INDEXES =
            List.of("DROP INDEX IF EXISTS %sevents_id", "DROP INDEX %sevents_correlation");
    private static final Set<String> SLOW_CASES = Set.of("text", "differs");
    private static final Duration RETENTION = Duration.ofHours(24);

    private final List<BenchResult> results = new ArrayList<>();
    private Path folder;
    private String url;
    private int stores;

    @Override
    public String name() {
        return "operations";
    }

    @Override
    public String about() {
        return "questions of operators, and the cost of journal and activity, on SQLite and PostgreSQL";
    }

    @Override
    public List<Options.Option> options() {
        return List.of(LETTERS, FINISHED, INDEXES);
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        folder = Files.createTempDirectory("redrive-bench");
        QuietLog.now();
        // Switches durability on, which the embedded server leaves off; all further settings are PostgreSQL's defaults.
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start()) {
            url = server.getJdbcUrl("postgres", "postgres");
            if (options.has(INDEXES)) {
                indexes(options.quick() ? 2 : 5, options.quick() ? 40_000 : 150_000, progress);
                return List.copyOf(results);
            }
            progress.accept("a minute of activity with 1,000 names");
            activity(options.quick() ? 10 : 50);
            journal(options.quick() ? 2 : 3, options.quick() ? 40_000 : 150_000, progress);
            questions(options, progress);
            return List.copyOf(results);
        } finally {
            delete(folder);
        }
    }

    private void activity(int minutes) {
        double sqlite;
        double postgres;
        try (EventStore store = sqlite()) {
            sqlite = ActivityCost.millisPerMinute(store, minutes);
        }
        try (EventStore store = postgres()) {
            postgres = ActivityCost.millisPerMinute(store, minutes);
        }
        plain("activity", "ms on SQLite", sqlite);
        plain("activity", "ms on PostgreSQL", postgres);
        plain("activity", "ms", Math.max(sqlite, postgres));
    }

    private void journal(int rounds, int events, Consumer<String> progress) throws Exception {
        progress.accept("rates with and without the journal on SQLite");
        ratio("journal-sqlite", new RateRatio(this::sqlite), rounds, events);
        progress.accept("rates with and without the journal on PostgreSQL");
        ratio("journal-postgres", new RateRatio(this::postgres), rounds, events);
    }

    private void indexes(int rounds, int events, Consumer<String> progress) throws Exception {
        progress.accept("rates with and without the indexes of unfinished events on SQLite");
        compare("indexes-sqlite", new RateRatio(this::indexedSqlite), rounds, events);
        progress.accept("rates with and without the indexes of unfinished events on PostgreSQL");
        compare("indexes-postgres", new RateRatio(this::indexedPostgres), rounds, events);
    }

    private EventStore indexedSqlite(boolean indexed) {
        EventStore store = sqlite();
        return indexed ? store : without(store, "jdbc:sqlite:" + folder.resolve("bench-" + stores + ".db"), "");
    }

    private EventStore indexedPostgres(boolean indexed) {
        EventStore store = postgres();
        return indexed ? store : without(store, url, "bench_" + stores + ".");
    }

    private static EventStore without(EventStore store, String url, String schema) {
        try {
            OperatorData.execute(
                    url,
                    WITHOUT_INDEXES.stream().map(drop -> drop.formatted(schema)).toArray(String[]::new));
            return store;
        } catch (SQLException e) {
            store.close();
            throw new IllegalStateException(e);
        }
    }

    private double compare(String caseName, RateRatio cost, int rounds, int events) throws Exception {
        double ratio = cost.ratio(rounds, events);
        plain(caseName, "ratio of publish-bulk", cost.bulkRatio());
        plain(caseName, "ratio of drain", cost.drainRatio());
        return ratio;
    }

    private void ratio(String caseName, RateRatio cost, int rounds, int events) throws Exception {
        judged(caseName, "ratio", compare(caseName, cost, rounds, events), Target.atLeast(0.75));
    }

    private void questions(Options options, Consumer<String> progress) throws Exception {
        int letters = options.number(LETTERS, options.quick() ? 300_000 : 1_000_000);
        int finished = options.number(FINISHED, options.quick() ? 1_000_000 : 10_000_000);
        int times = options.quick() ? 50 : 200;
        Map<String, Double> onSqlite;
        Map<String, Double> onPostgres;
        Path file = folder.resolve("questions.db");
        PostgresOptions schema = PostgresOptions.DEFAULT.withSchema("questions").withJournal(RETENTION);
        try (EventStore sqlite = SqliteStore.open(file, SqliteOptions.DEFAULT.withJournal(RETENTION));
                EventStore postgres = PostgresStore.open(url, schema)) {
            progress.accept("filling SQLite and PostgreSQL side by side");
            SideBySide.run(
                    () -> {
                        OperatorData.sqliteLetters(file.toString(), letters);
                        fill(sqlite, finished, line -> progress.accept("SQLite: " + line));
                    },
                    () -> {
                        OperatorData.postgresLetters(url, "questions", letters);
                        fill(postgres, finished, line -> progress.accept("PostgreSQL: " + line));
                    });
            // The upkeep of one store must not run while the other store answers.
            OperatorData.execute(url, "VACUUM ANALYZE", "CHECKPOINT");
            progress.accept("asking SQLite");
            onSqlite = new OperatorQueries(sqlite, letters, finished).p95(times, progress);
            progress.accept("asking PostgreSQL");
            onPostgres = new OperatorQueries(postgres, letters, finished).p95(times, progress);
        }
        for (Map.Entry<String, Double> each : onSqlite.entrySet()) {
            String caseName = each.getKey();
            plain(caseName, "p95 ms on SQLite", each.getValue());
            plain(caseName, "p95 ms on PostgreSQL", onPostgres.get(caseName));
            judged(
                    caseName,
                    "p95 ms",
                    Math.max(each.getValue(), onPostgres.get(caseName)),
                    Target.below(SLOW_CASES.contains(caseName) ? 1_000 : 100));
        }
    }

    private static void fill(EventStore store, int finished, Consumer<String> progress) {
        progress.accept("letters are written");
        OperatorData.freshLetters(store);
        OperatorData.samples(store);
        OperatorData.finished(store, finished, progress);
    }

    private EventStore sqlite(boolean journal) {
        Path file = folder.resolve("bench-" + ++stores + ".db");
        return SqliteStore.open(file, SqliteOptions.DEFAULT.withJournal(journal ? RETENTION : Duration.ZERO));
    }

    private EventStore postgres(boolean journal) {
        PostgresOptions schema = PostgresOptions.DEFAULT.withSchema("bench_" + ++stores);
        return PostgresStore.open(url, schema.withJournal(journal ? RETENTION : Duration.ZERO));
    }

    private EventStore sqlite() {
        return SqliteStore.open(folder.resolve("bench-" + ++stores + ".db"));
    }

    private EventStore postgres() {
        return PostgresStore.open(url, PostgresOptions.DEFAULT.withSchema("bench_" + ++stores));
    }

    private void judged(String caseName, String metric, double value, Target target) {
        results.add(BenchResult.judged(name(), caseName, new Measured(metric, value, Map.of(), null), target));
    }

    private void plain(String caseName, String metric, double value) {
        results.add(BenchResult.plain(name(), caseName, new Measured(metric, value, Map.of(), null)));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

package io.redrive.bench;

import io.redrive.events.EventStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What operators ask a store, and the cost of what a store remembers for operators, on SQLite and PostgreSQL. */
final class OperationsSuite implements Suite {

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
        return "the cost of activity on SQLite and PostgreSQL";
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
            progress.accept("a minute of activity with 1,000 names");
            activity(options.quick() ? 10 : 50);
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

    private EventStore sqlite() {
        return SqliteStore.open(folder.resolve("bench-" + ++stores + ".db"));
    }

    private EventStore postgres() {
        return PostgresStore.open(url, PostgresOptions.DEFAULT.withSchema("bench_" + ++stores));
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

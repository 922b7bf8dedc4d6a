package io.redrive.bench;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Pages of the console over HTTP on stores with many dead letters and causes: times, weight, and memory with open pages. */
final class ConsoleSuite implements Suite {

    private static final Options.Option LETTERS = Options.Option.number("--letters", "dead letters of each store");
    private static final Options.Option SECONDS =
            Options.Option.number("--seconds", "how long 50 pages stay open; default 600, 60 with --quick");
    private static final int CAUSES = 10_000;
    private static final int OPEN_PAGES = 50;
    private static final double MOST_MILLIS = 200;
    private static final double MOST_KB = 150;
    private static final double MOST_GROWTH = 1.2;

    private final List<BenchResult> results = new ArrayList<>();

    @Override
    public String name() {
        return "console";
    }

    @Override
    public String about() {
        return "pages of the console over HTTP with many dead letters, on SQLite and PostgreSQL";
    }

    @Override
    public List<Options.Option> options() {
        return List.of(LETTERS, SECONDS);
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        int letters = options.number(LETTERS, options.quick() ? 100_000 : 1_000_000);
        int seconds = options.number(SECONDS, options.quick() ? 60 : 600);
        int times = options.quick() ? 200 : 400;
        Path folder = Files.createTempDirectory("redrive-bench");
        QuietLog.now();
        // Switches durability on, which the embedded server leaves off; all further settings are PostgreSQL's defaults.
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start()) {
            ConsoleData data = new ConsoleData(letters, CAUSES);
            progress.accept(letters + " dead letters on PostgreSQL");
            String url = server.getJdbcUrl("postgres", "postgres");
            PostgresStore.open(url, PostgresOptions.DEFAULT).close();
            data.postgres(url, PostgresOptions.DEFAULT.schema());
            Map<String, Double> onPostgres;
            try (ConsoleServer console = ConsoleServer.start(url, folder)) {
                progress.accept("pages on PostgreSQL");
                onPostgres = new ConsoleLoad(console.url(), letters).p95(times);
            }
            progress.accept(letters + " dead letters on SQLite");
            Path file = folder.resolve("bench.db");
            SqliteStore.open(file).close();
            data.sqlite(file.toString());
            try (ConsoleServer console = ConsoleServer.start(file.toString(), folder)) {
                progress.accept("pages on SQLite");
                ConsoleLoad load = new ConsoleLoad(console.url(), letters);
                pages(load.p95(times), onPostgres);
                judged("weight", "KB", load.weight() / 1_000.0, Target.below(MOST_KB));
                memory(console, load, file, seconds, progress);
            }
            return List.copyOf(results);
        } finally {
            delete(folder);
        }
    }

    private void pages(Map<String, Double> onSqlite, Map<String, Double> onPostgres) {
        for (Map.Entry<String, Double> page : onSqlite.entrySet()) {
            double other = onPostgres.get(page.getKey());
            plain(page.getKey(), "p95 ms on SQLite", page.getValue());
            plain(page.getKey(), "p95 ms on PostgreSQL", other);
            judged(page.getKey(), "p95 ms", Math.max(page.getValue(), other), Target.below(MOST_MILLIS));
        }
    }

    /** Keeps pages open while events are published, so that the pages have something to fetch. */
    private void memory(ConsoleServer console, ConsoleLoad load, Path file, int seconds, Consumer<String> progress)
            throws Exception {
        progress.accept(OPEN_PAGES + " open pages for " + seconds + " s");
        try (OpenPages pages = new OpenPages(console.url(), load, OPEN_PAGES);
                EventStore store = SqliteStore.open(file)) {
            publish(store, Math.max(5, seconds / 6));
            long before = console.liveBytes();
            publish(store, seconds);
            long after = console.liveBytes();
            plain("memory", "live MB before", before / 1e6);
            plain("memory", "live MB after", after / 1e6);
            plain("memory", "pages fetched", pages.fetched());
            judged("memory", "after / before", (double) after / before, Target.atMost(MOST_GROWTH));
        }
    }

    private static void publish(EventStore store, int seconds) {
        Instant end = Instant.now().plusSeconds(seconds);
        while (Instant.now().isBefore(end)) {
            store.publish(List.of(Event.named("order.open").source("bench").build()), Instant.now());
            LockSupport.parkNanos(
                    TimeUnit.MILLISECONDS.toNanos(Duration.ofSeconds(2).toMillis()));
        }
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

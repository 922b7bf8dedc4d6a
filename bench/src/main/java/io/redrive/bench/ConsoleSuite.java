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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Pages of the console over HTTP on stores with many dead letters and causes: times, weight, and memory with open pages. */
final class ConsoleSuite implements Suite {

    private static final String WEIGHT = "weight";
    private static final String MEMORY = "memory";
    private static final String SQLITE = "sqlite";
    private static final String POSTGRES = "postgres";
    private static final Options.Option LETTERS = Options.Option.number("--letters", "dead letters of each store");
    private static final Options.Option SECONDS =
            Options.Option.number("--seconds", "how long 50 pages stay open; default 600, 60 with --quick");
    private static final Options.Option CASES = Options.Option.cases(
            Stream.concat(ConsoleLoad.PAGES.stream(), Stream.of(WEIGHT, MEMORY)).toList());
    private static final int CAUSES = 10_000;
    private static final int OPEN_PAGES = 50;
    private static final double MOST_MILLIS = 200;
    private static final double MOST_KB = 150;
    private static final double MOST_GROWTH = 1.2;

    private final List<BenchResult> results = new ArrayList<>();
    private final Map<String, Double> slowest = new LinkedHashMap<>();

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
        return List.of(LETTERS, SECONDS, CASES, Options.Option.stores(List.of(SQLITE, POSTGRES)));
    }

    /** The sizes of a run. */
    private record Run(Options options, int letters, int seconds, int times, Consumer<String> progress) {

        static Run of(Options options, Consumer<String> progress) {
            return new Run(
                    options,
                    options.number(LETTERS, options.quick() ? 100_000 : 1_000_000),
                    options.number(SECONDS, options.quick() ? 60 : 600),
                    options.quick() ? 200 : 400,
                    progress);
        }

        boolean wantsPages() {
            return ConsoleLoad.PAGES.stream().anyMatch(options::wants);
        }

        /** Weight and memory are measured on one store. */
        boolean wantsOn(String store, String caseName) {
            boolean chosen = store.equals(SQLITE) || !options.wantsStore(SQLITE);
            return chosen && options.wants(caseName);
        }

        boolean wants(String store) {
            return options.wantsStore(store) && (wantsPages() || wantsOn(store, WEIGHT) || wantsOn(store, MEMORY));
        }
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        Run run = Run.of(options, progress);
        Path folder = Files.createTempDirectory("redrive-bench");
        QuietLog.now();
        try {
            if (run.wants(POSTGRES)) {
                onPostgres(run, folder);
            }
            if (run.wants(SQLITE)) {
                onSqlite(run, folder);
            }
            slowest.forEach((page, millis) -> judged(page, "p95 ms", millis, Target.below(MOST_MILLIS)));
            return List.copyOf(results);
        } finally {
            delete(folder);
        }
    }

    private void onPostgres(Run run, Path folder) throws Exception {
        // Switches durability on, which the embedded server leaves off; all further settings are PostgreSQL's defaults.
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start()) {
            run.progress().accept(run.letters() + " dead letters on PostgreSQL");
            String url = server.getJdbcUrl("postgres", "postgres");
            try (EventStore store = PostgresStore.open(url, PostgresOptions.DEFAULT)) {
                new ConsoleData(run.letters(), CAUSES).postgres(url, PostgresOptions.DEFAULT.schema());
                measure(run, POSTGRES, new Stored(store, url, folder));
            }
        }
    }

    private void onSqlite(Run run, Path folder) throws Exception {
        run.progress().accept(run.letters() + " dead letters on SQLite");
        Path file = folder.resolve("bench.db");
        try (EventStore store = SqliteStore.open(file)) {
            new ConsoleData(run.letters(), CAUSES).sqlite(file.toString());
            measure(run, SQLITE, new Stored(store, file.toString(), folder));
        }
    }

    /** A filled store, its address, and the folder for the files of a server. */
    private record Stored(EventStore store, String address, Path folder) {}

    private void measure(Run run, String name, Stored stored) throws Exception {
        ConsoleData.activity(stored.store());
        try (ConsoleServer console = ConsoleServer.start(stored.address(), stored.folder())) {
            ConsoleLoad load = new ConsoleLoad(console.url(), run.letters());
            if (run.wantsPages()) {
                run.progress().accept("pages on " + name);
                List<String> pages =
                        ConsoleLoad.PAGES.stream().filter(run.options()::wants).toList();
                load.p95(pages, run.times()).forEach((page, millis) -> {
                    plain(page, "p95 ms on " + name, millis);
                    slowest.merge(page, millis, Math::max);
                });
            }
            if (run.wantsOn(name, WEIGHT)) {
                judged(WEIGHT, "KB", load.weight() / 1_000.0, Target.below(MOST_KB));
            }
            if (run.wantsOn(name, MEMORY)) {
                memory(console, load, stored.store(), run);
            }
        }
    }

    /** Keeps pages open while events are published, so that the pages have something to fetch. */
    private void memory(ConsoleServer console, ConsoleLoad load, EventStore store, Run run) throws Exception {
        run.progress().accept(OPEN_PAGES + " open pages for " + run.seconds() + " s");
        try (OpenPages pages = new OpenPages(console.url(), load, OPEN_PAGES)) {
            publish(store, Math.max(5, run.seconds() / 6));
            long before = console.liveBytes();
            publish(store, run.seconds());
            long after = console.liveBytes();
            plain(MEMORY, "live MB before", before / 1e6);
            plain(MEMORY, "live MB after", after / 1e6);
            plain(MEMORY, "pages fetched", pages.fetched());
            judged(MEMORY, "after / before", (double) after / before, Target.atMost(MOST_GROWTH));
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

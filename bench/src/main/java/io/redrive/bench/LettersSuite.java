package io.redrive.bench;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Fingerprint;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Export and import of dead letters as JSON lines: letters of about 1 kB, three attempts each, in pages as the command line makes. */
final class LettersSuite implements Suite {

    private static final Options.Option LETTERS = Options.Option.number("--letters", "how many; 100,000 without it");
    private static final String SECONDS = "s";
    private static final int IMPORTED_AT_ONCE = 500;
    private static final int EXPORTED_AT_ONCE = 100;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final List<BenchResult> results = new ArrayList<>();

    @Override
    public String name() {
        return "letters";
    }

    @Override
    public String about() {
        return "export and import of dead letters on SQLite and PostgreSQL";
    }

    @Override
    public List<Options.Option> options() {
        return List.of(LETTERS);
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        QuietLog.now();
        int letters = options.number(LETTERS, options.quick() ? 10_000 : 100_000);
        Path folder = Files.createTempDirectory("redrive-bench");
        Path file = folder.resolve("letters.jsonl");
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start()) {
            write(file, letters);
            String url = server.getJdbcUrl("postgres", "postgres");
            for (int round = 1; round <= 2; round++) {
                results.clear();
                progress.accept("round " + round + " of 2; the first one warms up");
                measured("parse", () -> read(file, letter -> {}));
                try (EventStore store = SqliteStore.open(folder.resolve("letters-" + round + ".db"))) {
                    inAndOut("sqlite", store, file, letters);
                }
                String schema = "letters_" + round;
                try (EventStore store = PostgresStore.open(url, PostgresOptions.DEFAULT.withSchema(schema))) {
                    inAndOut("postgres", store, file, letters);
                }
            }
            return List.copyOf(results);
        } finally {
            ItemsSuite.delete(folder);
        }
    }

    private void inAndOut(String kind, EventStore store, Path file, int letters) throws Exception {
        DeadLetters dead = store.deadLetters();
        measured("import-" + kind, () -> importAll(dead, file));
        if (dead.count(LetterFilter.ALL) != letters) {
            throw new IllegalStateException("imported " + dead.count(LetterFilter.ALL) + " letters of " + letters);
        }
        measured("export-" + kind, () -> exportAll(dead, file.resolveSibling("export-" + kind + ".jsonl")));
    }

    private interface Work {
        void run() throws Exception;
    }

    private void measured(String caseName, Work work) throws Exception {
        long began = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - began) / 1e9;
        results.add(BenchResult.plain(name(), caseName, new Measured(SECONDS, seconds, Map.of(), null)));
    }

    private static void importAll(DeadLetters dead, Path file) throws IOException {
        OperatorCommand command = OperatorCommand.by("bench");
        List<DeadLetter> page = new ArrayList<>();
        read(file, letter -> {
            page.add(letter);
            if (page.size() == IMPORTED_AT_ONCE) {
                dead.importLetters(page, command, NOW);
                page.clear();
            }
        });
        dead.importLetters(page, command, NOW);
    }

    private static void exportAll(DeadLetters dead, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            List<DeadLetter> page = dead.listWithHistory(LetterFilter.ALL, 0, EXPORTED_AT_ONCE);
            while (!page.isEmpty()) {
                for (DeadLetter letter : page) {
                    out.write(DeadLetterJson.write(letter));
                    out.newLine();
                }
                page = dead.listWithHistory(
                        LetterFilter.ALL, page.get(page.size() - 1).id(), EXPORTED_AT_ONCE);
            }
        }
    }

    private static void read(Path file, Consumer<DeadLetter> action) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                action.accept(DeadLetterJson.read(line, ++number));
            }
        }
    }

    private static void write(Path file, int letters) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < letters; i++) {
                out.write(DeadLetterJson.write(letter(i)));
                out.newLine();
            }
        }
    }

    private static DeadLetter letter(int number) {
        Event event = Event.named("order.paid")
                .id("event-" + number)
                .source("bench")
                .correlationId("c" + number)
                .json("{\"order\":" + number + ",\"note\":\"" + "x".repeat(280) + "\"}")
                .build();
        String error = "java.io.IOException: connection refused";
        List<AttemptRecord> history = IntStream.rangeClosed(1, 3)
                .mapToObj(attempt -> new AttemptRecord(
                        attempt,
                        NOW.plusSeconds(attempt),
                        "node-1",
                        Duration.ofMillis(12),
                        "IOException",
                        error,
                        attempt < 3 ? "retry" : "dead",
                        attempt < 3 ? "after 1s" : Reason.MAX_ATTEMPTS_EXCEEDED.code()))
                .toList();
        return new DeadLetter(
                number + 1L,
                event,
                Optional.empty(),
                Reason.MAX_ATTEMPTS_EXCEEDED,
                "IOException",
                error,
                Fingerprint.of("IOException", error),
                "bench",
                new Attempts(3, 0, 0),
                0,
                0,
                NOW.plusSeconds(number),
                history);
    }
}

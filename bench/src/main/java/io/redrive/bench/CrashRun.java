package io.redrive.bench;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.jdbc.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Kills a {@link CrashWorker} again and again at random moments under load, lets a last one drain the store, and compares
 * what the workers wrote down with what the store holds.
 */
final class CrashRun {

    private static final Duration LONGEST_LIFE = Duration.ofMillis(1_500);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final long DRAIN_MINUTES = 5;
    /** A few lines in the ledger show that it publishes. */
    private static final int WORKING_BYTES = 200;

    /**
     * What was found.
     *
     * @param published events whose publish returned
     * @param lost of those, neither handled nor a dead letter
     * @param falseDead dead letters that were not meant to die
     * @param doubleTerminal events that ended twice
     * @param duplicates handlings beyond the first that went well
     * @param inFlight events begun and not settled at a kill, over all kills: as many duplicates are to be expected
     */
    record Verdict(long published, long lost, long falseDead, long doubleTerminal, long duplicates, long inFlight) {}

    private final Path database;
    private final Path ledger;
    private final Random random;

    CrashRun(Path folder, long seed) {
        database = folder.resolve("crash.db");
        ledger = folder.resolve("crash.ledger");
        random = new Random(seed);
    }

    Verdict run(int rounds, Consumer<String> progress) throws IOException, InterruptedException {
        for (int life = 1; life <= rounds; life++) {
            long before = Files.exists(ledger) ? Files.size(ledger) : 0;
            Process worker = start(life, "work");
            awaitWork(worker, before);
            if (worker.waitFor(random.nextLong(LONGEST_LIFE.toMillis()), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("worker " + life + " ended by itself, exit code " + worker.exitValue());
            }
            worker.destroyForcibly().waitFor();
            if (life % 10 == 0) {
                progress.accept(life + " of " + rounds + " killed");
            }
        }
        Process last = start(rounds + 1, "drain");
        if (!last.waitFor(DRAIN_MINUTES, TimeUnit.MINUTES) || last.exitValue() != 0) {
            last.destroyForcibly();
            throw new IllegalStateException(
                    "what the killed workers left was not settled in " + DRAIN_MINUTES + " minutes");
        }
        return judge();
    }

    /** A life begins when the worker is through its start and works: killing a JVM that starts proves nothing. */
    private void awaitWork(Process worker, long before) throws IOException, InterruptedException {
        long waited = 0;
        while (!Files.exists(ledger) || Files.size(ledger) < before + WORKING_BYTES) {
            if (worker.waitFor(10, TimeUnit.MILLISECONDS) || ++waited > START_LIMIT.toMillis() / 10) {
                worker.destroyForcibly();
                throw new IllegalStateException("the worker did not begin to work within " + START_LIMIT);
            }
        }
    }

    private Process start(int life, String task) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashWorker.class.getName(),
                        database.toString(),
                        ledger.toString(),
                        String.valueOf(life),
                        task)
                .inheritIO()
                .start();
    }

    private Verdict judge() throws IOException {
        Tally tally = new Tally();
        CrashLedger.read(ledger).forEach(tally::add);
        Set<String> letters = new HashSet<>();
        try (EventStore store = SqliteStore.open(database)) {
            long after = 0;
            for (List<DeadLetter> page = page(store, after); !page.isEmpty(); page = page(store, after)) {
                page.forEach(letter -> letters.add(letter.event().id()));
                after = page.get(page.size() - 1).id();
            }
        }
        return tally.verdict(letters);
    }

    private static List<DeadLetter> page(EventStore store, long after) {
        return store.deadLetters().list(LetterFilter.ALL, after, DeadLetters.MAX_PAGE);
    }

    /** Counts what the ledger says. */
    private static final class Tally {
        private final Set<String> published = new HashSet<>();
        private final Map<String, Integer> handled = new HashMap<>();
        private final Map<String, Integer> ended = new HashMap<>();
        private final Set<String> done = new HashSet<>();
        private final Set<String> open = new HashSet<>();
        private long inFlight;

        void add(CrashLedger.Entry entry) {
            switch (entry.what()) {
                case "life" -> {
                    inFlight += open.size();
                    open.clear();
                }
                case "published" -> published.add(entry.id());
                case "started" -> open.add(entry.id());
                case "handled" -> handled.merge(entry.id(), 1, Integer::sum);
                case "retry" -> open.remove(entry.id());
                case "done" -> {
                    done.add(entry.id());
                    end(entry.id());
                }
                default -> end(entry.id());
            }
        }

        private void end(String id) {
            ended.merge(id, 1, Integer::sum);
            open.remove(id);
        }

        Verdict verdict(Set<String> letters) {
            return new Verdict(
                    published.size(),
                    published.stream()
                            .filter(id -> !handled.containsKey(id) && !letters.contains(id))
                            .count(),
                    letters.stream().filter(id -> !CrashWorker.diesAlways(id)).count(),
                    ended.values().stream().filter(times -> times > 1).count()
                            + done.stream().filter(letters::contains).count(),
                    handled.values().stream().mapToLong(times -> times - 1).sum(),
                    inFlight);
        }
    }
}

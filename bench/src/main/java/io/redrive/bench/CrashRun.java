package io.redrive.bench;

import io.redrive.events.EventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Kills {@link CrashWorker}s at random moments under load, lets a last worker drain the store, and compares the ledgers of
 * the workers with the content of the store.
 */
final class CrashRun {

    private static final Duration LONGEST_LIFE = Duration.ofMillis(1_500);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final long DRAIN_MINUTES = 5;
    /** Lines in the ledger by which a worker is known to publish. */
    private static final int WORKING_BYTES = 200;

    private final Path database;
    private final Path ledger;
    private final Random random;

    CrashRun(Path folder, long seed) {
        database = folder.resolve("crash.db");
        ledger = folder.resolve("crash.ledger");
        random = new Random(seed);
    }

    CrashTally.Verdict run(int rounds, Consumer<String> progress) throws IOException, InterruptedException {
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
        CrashTally tally = new CrashTally();
        CrashLedger.read(ledger).forEach(tally::add);
        try (EventStore store = CrashWorker.open(database.toString())) {
            return tally.verdict(store);
        }
    }

    /** Waits until the worker works: killing a starting JVM proves nothing. */
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
        return CrashWorker.process(database.toString(), ledger, life, task).start();
    }
}

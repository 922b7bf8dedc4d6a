package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveCounts;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.pipeline.AutomaticRedrive;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A canary whose process is killed between preview and start, in each stage and after a halt: another process carries it on, each letter is
 * redriven once, and the selection never grows. The events are handled by {@link CrashWorker}s.
 */
class RedriveCrashIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int LETTERS = 200;
    private static final int LATE = 3;
    private static final RedrivePlan PLAN =
            RedrivePlan.CANARY.withStageLimit(PATIENCE).withPerSecond(100);

    @TempDir
    private Path folder;

    private final List<Process> workers = new ArrayList<>();

    @AfterEach
    void endAll() {
        workers.forEach(Process::destroyForcibly);
    }

    @Test
    void on_sqlite() throws Exception {
        killInEachStage(folder.resolve("redrive.db").toString());
    }

    @Test
    void on_postgresql() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            killInEachStage(server.getJdbcUrl("postgres", "postgres"));
        }
    }

    private void killInEachStage(String address) throws Exception {
        try (EventStore store = CrashWorker.open(address)) {
            letters(store, 0, LETTERS);
            RedriveOrder order = RedriveOrder.ofAllLetters(PLAN, "ann");
            store.redrives().preview(order, Instant.now());
            // Between preview and start: no process sends a letter, and a letter which dies now does not join.
            letters(store, LETTERS, LATE);
            startAndSee(address).destroyForcibly().waitFor();
            assertThat(operation(store, order).counts()).isEqualTo(new RedriveCounts(LETTERS, 0, 0, 0, 0));
            store.redrives().change(order.id(), RedriveChange.START, order.command(), Instant.now());
            for (int stage = 0; stage <= PLAN.stages().size(); stage++) {
                int reached = stage;
                Process worker = start(address);
                await(
                        store,
                        order,
                        operation -> operation.pace().stage() >= reached
                                && operation.counts().redriven() > 0);
                worker.destroyForcibly().waitFor();
                assertThat(operation(store, order).state()).isEqualTo(new RedriveState.Running());
            }
            start(address);
            await(store, order, operation -> operation.state().isEnded());
            assertRedrivenOnce(store, order);
            haltsOnce(address, store);
        }
    }

    /** A canary of letters which die again halts, and stays halted when the process which halted it is killed. */
    private void haltsOnce(String address, EventStore store) throws Exception {
        workers.get(workers.size() - 1).destroyForcibly().waitFor();
        store.publish(List.of(event("crash.halt", 7), event("crash.halt", CrashWorker.ONE_IN + 7)), Instant.now());
        Process worker = start(address);
        Awaitility.await().atMost(PATIENCE).until(() -> store.deadLetters().count(LetterFilter.ALL) == LATE + 2);
        RedriveOrder order = RedriveOrder.of(LetterFilter.ALL.withReason(Reason.NOT_RETRYABLE), PLAN, "ann");
        store.redrives().preview(order, Instant.now());
        store.redrives().change(order.id(), RedriveChange.START, order.command(), Instant.now());
        await(store, order, operation -> operation.state().isEnded());
        RedriveOperation halted = operation(store, order);
        worker.destroyForcibly().waitFor();
        startAndSee(address);
        assertThat(halted.state()).isInstanceOf(RedriveState.Halted.class);
        assertThat(operation(store, order)).isEqualTo(halted);
        assertThat(halted.counts()).isEqualTo(new RedriveCounts(2, 1, 0, 1, 0));
    }

    private static void assertRedrivenOnce(EventStore store, RedriveOrder order) {
        RedriveOperation operation = operation(store, order);
        List<DeadLetter> dead = store.deadLetters().list(LetterFilter.ALL, 0, 1_000);
        assertThat(operation.state()).as("%s, dead: %s", operation, dead).isEqualTo(new RedriveState.Finished());
        assertThat(operation.counts()).isEqualTo(new RedriveCounts(LETTERS, LETTERS, LETTERS, 0, 0));
        assertThat(dead).as("letters which died after the preview").hasSize(LATE);
        assertThat(store.deadLetters().actions(10))
                .singleElement()
                .satisfies(row ->
                        assertThat(row).extracting(OperatorAction::letters).isEqualTo((long) LETTERS));
    }

    private static RedriveOperation operation(EventStore store, RedriveOrder order) {
        return store.redrives().find(order.id()).orElseThrow();
    }

    private static void await(EventStore store, RedriveOrder order, Predicate<RedriveOperation> condition) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> condition.test(operation(store, order)));
    }

    /** Returns when the process works on the store. */
    private Process startAndSee(String address) throws IOException {
        Process worker = start(address);
        String life = "life " + workers.size();
        Path ledger = folder.resolve("ledger");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Files.exists(ledger) && Files.readAllLines(ledger).contains(life));
        return worker;
    }

    private Process start(String address) throws IOException {
        Process worker = CrashWorker.process(address, folder.resolve("ledger"), workers.size() + 1, "handle")
                .start();
        workers.add(worker);
        return worker;
    }

    /** Events that {@link CrashWorker} handles at the first attempt. */
    private static void letters(EventStore store, int from, int count) {
        Pipeline failing = Pipeline.on(store)
                .policies(EventPolicies.defaults().with("*", RetryPolicy.noRetry()))
                .automaticRedrive(AutomaticRedrive.OFF)
                .on("crash.*", event -> {
                    throw new IllegalStateException("downstream is down");
                })
                .executor(Runnable::run)
                .build();
        for (int i = from; i < from + count; i++) {
            failing.publish(List.of(event("crash.n" + i, i * CrashWorker.ONE_IN)));
        }
        failing.drain();
        failing.close();
        assertThat(store.deadLetters().count(LetterFilter.ALL)).isEqualTo(from + count);
    }

    private static Event event(String name, int number) {
        return Event.named(name)
                .id("1-" + number)
                .source("crash")
                .correlationId("crash")
                .build();
    }
}

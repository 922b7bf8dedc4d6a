package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.core.RetryPolicy;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveOperation;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A redrive in a separate process, stopped by Ctrl-C or killed. */
@Timeout(300)
final class RedriveJarIT {

    private static final int LETTERS = 40;

    @TempDir
    private Path folder;

    @Test
    void control_c_leaves_the_operation_in_the_store_and_says_how_to_go_on() throws Exception {
        try (EventStore store = withLetters()) {
            Process redrive = start();
            RedriveOperation begun = awaitLetters(store, 2);

            assertThat(new ProcessBuilder("kill", "-INT", Long.toString(redrive.pid()))
                            .start()
                            .waitFor())
                    .isZero();

            assertThat(redrive.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(redrive.exitValue()).isEqualTo(130);
            assertThat(new String(redrive.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("operation " + begun.id() + " waits")
                    .contains("with: redrive operations resume " + begun.id())
                    .contains("to look at it: redrive operations show " + begun.id())
                    .contains("to stop it:    redrive operations cancel " + begun.id());
            assertCarriedOn(store, begun.id());
        }
    }

    @Test
    void after_a_kill_the_operation_goes_on_and_redrives_each_letter_once() throws Exception {
        try (EventStore store = withLetters()) {
            Process redrive = start();
            RedriveOperation begun = awaitLetters(store, 2);
            redrive.destroyForcibly().waitFor();
            assertCarriedOn(store, begun.id());
        }
    }

    private void assertCarriedOn(EventStore store, String id) throws Exception {
        RedriveOperation before = store.redrives().find(id).orElseThrow();
        assertThat(before.counts().pending()).isPositive();
        assertThat(Jar.run("operations", "resume", id, "--store", address()))
                .startsWith("exit 0: ")
                .contains(LETTERS + " letters redriven");
        assertThat(store.deadLetters().count(LetterFilter.ALL)).isZero();
        assertThat(store.redrives().find(id).orElseThrow().counts().redriven()).isEqualTo(LETTERS);
    }

    private Process start() throws Exception {
        return Jar.start(List.of(), "dlq", "redrive", "--all", "--yes", "--rate", "5/s", "--store", address());
    }

    private static RedriveOperation awaitLetters(EventStore store, int redriven) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> store.redrives().list(1).stream()
                        .anyMatch(operation -> operation.counts().redriven() >= redriven));
        return store.redrives().list(1).get(0);
    }

    private String address() {
        return folder.resolve("orders.db").toString();
    }

    private EventStore withLetters() {
        EventStore store = SqliteStore.open(folder.resolve("orders.db"));
        Pipeline failing = Pipeline.on(store)
                .policies(EventPolicies.defaults().with("*", RetryPolicy.noRetry()))
                .on("*", event -> {
                    throw new IllegalStateException("downstream is down");
                })
                .executor(Runnable::run)
                .build();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < LETTERS; i++) {
            // A name for each event, so that no name is paused.
            events.add(
                    Event.named("order.n" + i).source("shop").correlationId("c").build());
        }
        failing.publish(events);
        failing.drain();
        failing.close();
        assertThat(store.deadLetters().count(LetterFilter.ALL)).isEqualTo(LETTERS);
        return store;
    }
}

package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.PublishResult;
import io.redrive.jdbc.SqliteStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that publishes without a pause, a process that handles events, and commands of an operator, all on one SQLite
 * file. A process that waited for the file until its time-out would fail its call.
 */
@Timeout(300)
final class SharedFileIT {

    @TempDir
    private Path folder;

    @Test
    void three_processes_write_to_one_file_and_no_call_runs_into_its_time_out() throws Exception {
        Path file = folder.resolve("orders.db");
        AtomicBoolean enough = new AtomicBoolean();
        try (EventStore application = SqliteStore.open(file)) {
            Process worker = worker(file);
            try (BufferedReader lines = worker.inputReader()) {
                assertThat(lines.readLine()).isEqualTo("started RUNNING");
                CompletableFuture<Integer> flood =
                        CompletableFuture.supplyAsync(() -> publishUntil(enough, application));
                for (int i = 0; i < 3; i++) {
                    assertThat(Jar.run(
                                    "publish",
                                    "--store",
                                    file.toString(),
                                    "--name",
                                    "order.paid",
                                    "--source",
                                    "ann",
                                    "--text",
                                    "{}"))
                            .startsWith("exit 0:");
                    assertThat(Jar.run("pause", "mail." + i, "--reason", "test", "--store", file.toString()))
                            .startsWith("exit 0:");
                    assertThat(Jar.run("dlq", "list", "--store", file.toString()))
                            .startsWith("exit 0:");
                }
                enough.set(true);
                assertThat(flood.get()).as("calls of the application").isPositive();
                worker.getOutputStream().close();
                assertThat(lines.readLine()).isEqualTo("troubles 0");
            } finally {
                worker.destroyForcibly();
            }
        }
    }

    private static int publishUntil(AtomicBoolean enough, EventStore application) {
        int calls = 0;
        for (; !enough.get(); calls++) {
            Event event = Event.named("order.paid").source("shop").build();
            assertThat(application.publish(List.of(event), Instant.now())).containsExactly(PublishResult.ACCEPTED);
        }
        return calls;
    }

    private static Process worker(Path file) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SharedFileWorker.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}

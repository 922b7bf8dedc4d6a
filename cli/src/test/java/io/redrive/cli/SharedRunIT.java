package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.StubService.Answer;
import io.redrive.core.Time;
import io.redrive.items.JsonLines;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.PostgresRunStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three processes share a run in a real PostgreSQL, and the test kills a process. */
@Timeout(300)
final class SharedRunIT {

    private static final int SAMPLES = 1_500;

    @TempDir
    private Path folder;

    private final CountDownLatch atOnce = new CountDownLatch(6);
    private volatile CountDownLatch mayAnswer = new CountDownLatch(0);
    private EmbeddedPostgres database;
    private StubService server;

    @BeforeEach
    void prepare() throws IOException {
        database = EmbeddedPostgres.start();
        server = new StubService(request -> {
            // Three processes make so many concurrent calls, two do not: the run cannot end before all three work.
            atOnce.countDown();
            await(atOnce);
            await(mayAnswer);
            return Answer.late(Duration.ofMillis(20), "\"" + request.body() + "!\"");
        });
        Files.write(folder.resolve("in.jsonl"), samples());
        Files.writeString(folder.resolve("p.yml"), """
                stages:
                  - http: ask
                    url: %s
                    concurrency: 2
                """.formatted(server.url("/")));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        database.close();
    }

    @Test
    void after_the_kill_of_one_of_three_processes_the_rest_finish_and_a_restarted_process_removes_uncommitted_output()
            throws Exception {
        List<Process> processes = new ArrayList<>();
        for (String output : List.of("a", "b", "c")) {
            processes.add(start(output));
        }
        // Committed lines survive a kill: from here on, no output can be empty at the end.
        Awaitility.await()
                .atMost(Duration.ofSeconds(120))
                .until(() -> List.of("a", "b", "c").stream().allMatch(this::hasCommitted));
        mayAnswer = new CountDownLatch(1);
        processes.get(0).destroyForcibly().waitFor();
        Process again = start("a");
        // Waits for the restarted process: the run must not end before the process has removed its uncommitted lines.
        Awaitility.await().atMost(Duration.ofSeconds(120)).until(() -> isAtWork(again));
        mayAnswer.countDown();

        for (Process process : List.of(processes.get(1), processes.get(2), again)) {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
        }
        List<String> all = new ArrayList<>();
        for (String output : List.of("a", "b", "c")) {
            assertThat(results(output)).as(output).isNotEmpty();
            all.addAll(results(output));
        }
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        samples().stream().map(sample -> "\"" + sample + "!\"").toList());
        assertThat(Jar.run("runs", "show", "r", "--store", store()))
                .contains(SAMPLES + " in = " + SAMPLES + " succeeded + 0 skipped + 0 dead + 0 not started");
    }

    private boolean hasCommitted(String output) {
        try (RunStore runs = PostgresRunStore.open(store())) {
            String sink = JsonLines.sink(folder.resolve(output)).name();
            return runs.archive().find("r", Time.system().now()).isPresent()
                    && runs.sinkPosition("r", sink)
                            .filter(bytes -> !bytes.equals("0"))
                            .isPresent();
        }
    }

    private boolean isAtWork(Process process) {
        try (RunStore runs = PostgresRunStore.open(store())) {
            return runs.archive().workers("r").stream()
                    .anyMatch(worker -> worker.node().endsWith("-" + process.pid()));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Process start(String output) throws IOException {
        return Jar.start(
                List.of("-Xmx128m"),
                "run",
                folder.resolve("p.yml").toString(),
                "--input",
                folder.resolve("in.jsonl").toString(),
                "--output",
                folder.resolve(output).toString(),
                "--run",
                "r",
                "--store",
                store(),
                "--quiet");
    }

    private String store() {
        return database.getJdbcUrl("postgres", "postgres");
    }

    private List<String> results(String output) {
        try {
            Path file = folder.resolve(output);
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> samples() {
        return IntStream.range(0, SAMPLES).mapToObj(Integer::toString).toList();
    }
}

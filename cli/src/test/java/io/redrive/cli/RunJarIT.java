package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.cli.StubService.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Item runs in a separate process, stopped or killed, against a server with random refusals. */
@Timeout(300)
final class RunJarIT {

    private static final int SAMPLES = 400;

    @TempDir
    private Path folder;

    private StubService server;

    @BeforeEach
    void prepare() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        server = new StubService(request -> {
            int call = calls.incrementAndGet();
            return call % 20 == 0
                    ? Answer.status(503)
                    : Answer.late(Duration.ofMillis(20), "\"" + request.body() + "!\"");
        });
        Files.write(folder.resolve("in.jsonl"), samples());
        Files.writeString(folder.resolve("p.yml"), """
                stages:
                  - http: ask
                    url: %s
                    concurrency: 4
                    retry: {max-attempts: 9, backoff: fixed, initial-delay: 20ms}
                  - command: keep
                    run: [cat]
                """.formatted(server.url("/")));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void control_c_loses_no_result_and_the_same_command_resumes_the_run() throws Exception {
        Process run = startRun();
        awaitResults(40);

        kill(run, "INT");

        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).isEqualTo(130);
        assertThat(new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("stopped: " + SAMPLES + " in = ", "the same command goes on with it");
        int before = results().size();
        assertThat(before).isBetween(40, SAMPLES - 1);
        assertThat(Jar.run(command())).startsWith("exit 0: ").contains("goes on after");
        assertThat(results()).containsExactlyInAnyOrderElementsOf(expected());
        assertThat(server.requests.size()).isLessThan(SAMPLES + SAMPLES / 4);
    }

    @Test
    void after_a_kill_the_same_command_resumes_the_run_and_the_output_equals_that_of_an_undisturbed_run()
            throws Exception {
        for (int round = 1; round <= 3; round++) {
            Process run = startRun();
            awaitResults(round * SAMPLES / 5);
            run.destroyForcibly().waitFor();
        }

        assertThat(Jar.run("runs", "list", "--store", store())).contains("400");
        assertThat(Jar.run(command())).startsWith("exit 0: ");
        assertThat(results()).containsExactlyInAnyOrderElementsOf(expected());
    }

    @Test
    void a_stopped_run_is_resumed_by_id_from_any_folder() throws Exception {
        Process run = startRun();
        awaitResults(20);
        kill(run, "TERM");
        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).isEqualTo(143);

        assertThat(Jar.run("runs", "resume", "r", "--store", store())).startsWith("exit 0: ");

        assertThat(results()).containsExactlyInAnyOrderElementsOf(expected());
    }

    private Process startRun() throws IOException {
        return Jar.start(List.of(), command());
    }

    private String[] command() {
        return new String[] {
            "run",
            folder.resolve("p.yml").toString(),
            "--input",
            folder.resolve("in.jsonl").toString(),
            "--output",
            folder.resolve("out.jsonl").toString(),
            "--run",
            "r",
            "--store",
            store()
        };
    }

    private String store() {
        return folder.resolve("runs.db").toString();
    }

    private void awaitResults(int least) {
        await().atMost(Duration.ofSeconds(120))
                .pollInterval(Duration.ofMillis(20))
                .until(() ->
                        Files.exists(folder.resolve("out.jsonl")) && results().size() >= least);
    }

    private static void kill(Process process, String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private List<String> results() throws IOException {
        return Files.readAllLines(folder.resolve("out.jsonl"));
    }

    private static List<String> samples() {
        return IntStream.range(0, SAMPLES).mapToObj(Integer::toString).toList();
    }

    private static List<String> expected() {
        return samples().stream().map(sample -> "\"" + sample + "!\"").toList();
    }
}

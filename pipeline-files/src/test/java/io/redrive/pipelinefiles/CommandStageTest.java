package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redrive.items.SampleContext;
import io.redrive.items.run.Run;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.StageAttempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Command stages with real child processes, written as shell scripts. */
@Timeout(120)
final class CommandStageTest {

    private static final String QUICK = "    retry: {backoff: none, max-attempts: 3}\n";

    @TempDir
    private Path folder;

    @Test
    void a_process_lives_as_long_as_the_run_and_answers_line_by_line() throws Exception {
        script("echo $$ >> started", "while read -r line; do echo \"{\\\"got\\\":$line}\"; done");

        Plant plant = new Plant(folder).run(lines(""), numbers(50));

        assertThat(plant.output).hasSize(50).contains("{\"got\":7}");
        assertThat(Files.readAllLines(folder.resolve("started"))).hasSize(1);
    }

    @Test
    void the_stage_has_as_many_processes_as_its_concurrency() throws Exception {
        script("echo $$ >> started", "while read -r line; do sleep 0.05; echo \"$line\"; done");

        Plant plant = new Plant(folder).run(lines("    concurrency: 3\n"), numbers(30));

        assertThat(plant.output).hasSize(30);
        assertThat(Files.readAllLines(folder.resolve("started"))).hasSizeBetween(2, 3);
    }

    @Test
    void processes_end_with_the_run() throws Exception {
        script("echo $$ > pid", "while read -r line; do echo \"$line\"; done");

        new Plant(folder).run(lines(""), "1");

        long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void a_process_that_dies_is_replaced_and_its_sample_retried() throws Exception {
        script("""
                while read -r line; do
                  if [ "$line" = 3 ] && [ ! -e died ]; then touch died; echo "out of memory" >&2; exit 9; fi
                  echo "$line"
                done""");

        Plant plant = new Plant(folder).run(lines(QUICK), numbers(10));

        assertThat(plant.output).hasSize(10);
        assertThat(plant.attempts(3)).extracting(StageAttempt::errorType).containsExactly("exit_9", "");
        assertThat(plant.attempts(3).get(0).message())
                .isEqualTo("command sh of stage 'work' ended with exit code 9: out of memory");
    }

    @Test
    void a_line_cut_off_by_a_crash_is_not_an_answer() throws Exception {
        script("""
                read -r line
                if [ ! -e died ]; then touch died; printf 12; exit 1; fi
                echo 123""");

        Plant plant = new Plant(folder).run(lines(QUICK), "0");

        assertThat(plant.output).containsExactly("123");
        assertThat(plant.attempts(0).get(0).errorType()).isEqualTo("exit_1");
    }

    @Test
    void a_process_that_writes_garbage_is_replaced() throws Exception {
        script("""
                echo $$ >> started
                while read -r line; do
                  if [ "$line" = 2 ] && [ ! -e wrote ]; then touch wrote; echo "Loading model..."; fi
                  echo "$line"
                done""");

        Plant plant = new Plant(folder).run(lines(QUICK), numbers(6));

        // Each sample has its own answer: the surplus line was dropped with the killed process.
        assertThat(plant.output).containsExactlyInAnyOrder(numbers(6));
        assertThat(plant.attempts(2).get(0))
                .returns("bad_answer", StageAttempt::errorType)
                .satisfies(attempt -> assertThat(attempt.message())
                        .startsWith("command sh of stage 'work' must answer with JSON, got 'Loading model...'"));
        assertThat(Files.readAllLines(folder.resolve("started"))).hasSize(2);
    }

    @Test
    void a_line_without_a_request_is_noticed_before_the_next_sample() throws Exception {
        script("while read -r line; do printf '%s\\n99\\n' \"$line\"; done");

        Plant plant = new Plant(folder).run("failure-budget: 1\n" + lines(QUICK), numbers(3));

        assertThat(plant.output).doesNotContain("99");
        assertThat(plant.attempts(1).get(0).message()).contains("got the line '99' without a request");
    }

    @Test
    void an_answer_to_another_sample_is_refused_by_its_match() throws Exception {
        script("""
                while read -r line; do
                  if [ ! -e wrote ]; then touch wrote; echo '{"id":7,"n":1}'; else echo "$line"; fi
                done""");

        Plant plant = new Plant(folder).run(lines(QUICK + "    match: /id\n"), "{\"id\":5}");

        assertThat(plant.output).containsExactly("{\"id\":5}");
        assertThat(plant.attempts(0).get(0).message())
                .isEqualTo("command sh of stage 'work' must answer with the /id of the sample, 5, got 7");
    }

    @Test
    void a_process_over_the_time_limit_is_killed_and_its_late_answer_dropped() throws Exception {
        script("""
                while read -r line; do
                  if [ "$line" = 1 ] && [ ! -e slept ]; then touch slept; sleep 60; fi
                  echo "$line"
                done""");

        Plant plant = new Plant(folder).run(lines(QUICK + "    time-limit: 1s\n"), numbers(4));

        assertThat(plant.output).containsExactlyInAnyOrder(numbers(4));
        assertThat(plant.attempts(1)).extracting(StageAttempt::errorType).containsExactly("timeout", "");
    }

    @Test
    void a_process_that_does_not_read_its_input_ends_at_the_time_limit() throws Exception {
        script("sleep 60");

        Plant plant = new Plant(folder)
                .run(lines("    retry: {enabled: false}\n    time-limit: 1s\n"), "\"" + "x".repeat(500_000) + "\"");

        assertThat(plant.dead().get(0).death().errorType()).isEqualTo("timeout");
    }

    @Test
    void a_command_can_skip_a_sample_fail_or_ask_for_a_delay() throws Exception {
        script("""
                while read -r line; do
                  case $line in
                    1) echo '{"$skip":"odd"}';;
                    2) echo '{"$error":"no such thing","retry":false}';;
                    3) if [ -e busy ]; then echo 3; else touch busy
                       echo '{"$error":"busy","kind":"rate_limited","retry_after":0.2}'; fi;;
                    *) echo "$line";;
                  esac
                done""");

        Plant plant = new Plant(folder).run("failure-budget: 1\n" + lines(QUICK), numbers(5));

        assertThat(plant.output).containsExactlyInAnyOrder("0", "3", "4");
        assertThat(plant.end.totals().skipped()).isEqualTo(1);
        assertThat(plant.attempts(1).get(0).message()).isEqualTo("odd");
        assertThat(plant.attempts(2)).extracting(StageAttempt::errorType).containsExactly("bad_sample");
        assertThat(plant.attempts(3).get(0))
                .returns("rate_limited", StageAttempt::errorType)
                .returns(Duration.ofMillis(200), StageAttempt::delay);
    }

    @Test
    void a_large_batch_is_written_and_answered_as_a_whole() throws Exception {
        script("exec cat");
        String[] large = IntStream.range(0, 40)
                .mapToObj(i -> "\"" + i + "x".repeat(20_000) + "\"")
                .toArray(String[]::new);

        Plant plant = new Plant(folder).run(lines("    batch: {size: 40, wait: 5s}\n    time-limit: 60s\n"), large);

        assertThat(plant.output).containsExactlyInAnyOrder(large);
    }

    @Test
    void the_item_is_sent_and_the_picked_answer_put_into_the_sample() throws Exception {
        script("while read -r line; do echo \"{\\\"n\\\":$line}\"; done");

        Plant plant = new Plant(folder)
                .run(lines("    item: ${/text}\n    pick: /n\n    into: /length\n"), "{\"text\":5,\"a\":1}");

        assertThat(plant.output).containsExactly("{\"text\":5,\"a\":1,\"length\":5}");
    }

    @Test
    void once_starts_a_process_for_each_sample() throws Exception {
        Plant plant = new Plant(folder).run("""
                stages:
                  - command: count
                    mode: once
                    run: [sh, -c, 'read -r line; echo "$1 $line $REDRIVE_RUN $REDRIVE_STAGE"', sh, '${/w}']
                    answer: text
                """, "{\"w\":\"$(id) ;x\"}");

        assertThat(plant.output).containsExactly("\"$(id) ;x {\\\"w\\\":\\\"$(id) ;x\\\"} test-run count\"");
    }

    @Test
    void once_an_exit_code_is_the_kind_of_the_failure() throws Exception {
        Plant plant = new Plant(folder).run("""
                failure-budget: 100%
                stages:
                  - command: check
                    mode: once
                    run: "read -r line; [ $line = 1 ] && exit 75; [ $line = 2 ] && { echo broken >&2; exit 3; }; echo $line"
                    retry: {backoff: none, max-attempts: 2, retry-on-kind: [exit_75]}
                """, numbers(3));

        assertThat(plant.output).containsExactly("0");
        assertThat(plant.attempts(1)).extracting(StageAttempt::errorType).containsExactly("exit_75", "exit_75");
        assertThat(plant.attempts(2))
                .extracting(StageAttempt::message)
                .containsExactly("command sh of stage 'check' ended with exit code 3: broken");
    }

    @Test
    void once_a_process_that_writes_without_end_is_killed() throws Exception {
        Plant plant = new Plant(folder).run("""
                max-payload: 10KB
                stages:
                  - command: flood
                    mode: once
                    run: [yes]
                """, "1");

        assertThat(plant.dead().get(0).death().message())
                .isEqualTo("command yes of stage 'flood' must answer with at most 10000 bytes, which is max-payload of"
                        + " the pipeline, got more");
    }

    @Test
    void a_process_that_cannot_start_while_the_run_stops_is_not_a_failure() {
        StopSignal stop = new StopSignal();
        Program gone = new Program(List.of(Template.parse("./gone", Map.of())), folder);
        Scope scope = new Scope(new JsonValue.Text("a"), new SampleContext("run", 0, "a", 1));

        assertThatThrownBy(() -> ChildProcess.start("work", gone, scope, stop)).isInstanceOf(IOException.class);
        stop.raise();
        assertThatThrownBy(() -> ChildProcess.start("work", gone, scope, stop))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void a_process_that_dies_while_the_run_stops_costs_no_attempt() throws Exception {
        // Ctrl-C reaches the child process before the run, and the death of the process looks like a failure.
        script("read -r line; touch reading; until [ -e stopped ]; do sleep 0.01; done; kill -INT $$");
        Plant plant = new Plant(folder);
        Path input = Files.write(folder.resolve("in.jsonl"), List.of("1"));

        try (PipelinePlan plan = plant.plan(lines("    retry: {enabled: false}\n"));
                Run run = Run.of(plan.pipeline(), plant.store)
                        .id(Plant.RUN)
                        .from(plan.source(input))
                        .start()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(folder.resolve("reading")));
            run.stop();
            plant.stop.raise();
            Files.createFile(folder.resolve("stopped"));

            assertThat(run.await().status()).isEqualTo(RunStatus.STOPPED);
        }
        assertThat(plant.dead()).isEmpty();
        assertThat(plant.attempts(0)).isEmpty();
    }

    private void script(String... lines) throws IOException {
        Files.writeString(folder.resolve("work.sh"), String.join("\n", lines) + "\n");
    }

    private static String lines(String more) {
        return "stages:\n  - command: work\n    run: [sh, work.sh]\n" + more;
    }

    private static String[] numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toArray(String[]::new);
    }
}

package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.StubService.Answer;
import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class RunCommandTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void samples() throws IOException {
        write("in.jsonl", samples(20));
    }

    @Test
    void a_run_ends_with_a_report_and_every_result_in_the_output() throws IOException {
        Ran ran = run("id: /n\nstages:\n  - filter: even\n    where: /n matches \"[02468]$\"\n");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).startsWith("Run p-").contains("completed", "succeeded", "skipped", "even");
        assertThat(ran.err().lines().findFirst()).get().asString().matches("run p-[0-9a-f]{8}: even");
        assertThat(ran.err()).contains("100%, 20 of 20");
        assertThat(output()).hasSize(10).contains("{\"n\":\"8\"}");
        assertThat(folder.resolve("runs.db.log")).exists();
    }

    @Test
    void the_command_of_a_completed_run_reports_that_the_run_is_complete() throws IOException {
        run(pass());
        List<String> before = output();

        Ran again = run(pass());

        assertThat(again.code()).isZero();
        assertThat(again.err())
                .contains("has ended already; --restart does it again")
                .doesNotContain("warning");
        assertThat(output()).isEqualTo(before);
    }

    @Test
    void growth_of_the_input_after_the_end_of_the_run_is_reported() throws IOException {
        run(pass());
        Files.writeString(folder.resolve("in.jsonl"), "{\"late\":1}\n{\"late\":2}\n", StandardOpenOption.APPEND);

        assertThat(run(pass()).err())
                .contains("has ended already, with 20 samples, and " + path("in.jsonl")
                        + " has 22 now; --restart does it again");
    }

    @Test
    void an_output_with_more_lines_than_committed_is_reported_and_left_alone() throws IOException {
        run(pass());
        long committed = Files.size(folder.resolve("out.jsonl"));
        Files.writeString(folder.resolve("out.jsonl"), "more\n", StandardOpenOption.APPEND);

        Ran again = run(pass());

        assertThat(again.code()).isZero();
        assertThat(again.err())
                .contains("has " + (committed + 5) + " bytes and the run has committed " + committed + " of them")
                .contains("truncate -s " + committed + " " + path("out.jsonl"));
        assertThat(output()).hasSize(21).endsWith("more");
    }

    @Test
    void restart_begins_again_at_the_first_sample() throws IOException {
        run(pass());
        write("in.jsonl", "{\"n\":\"x\"}\n");

        Ran again = run(pass(), "--restart");

        assertThat(again.code()).isZero();
        assertThat(output()).containsExactly("{\"n\":\"x\"}");
    }

    @Test
    void the_exit_code_tells_how_the_run_ended() throws IOException {
        assertThat(run(dying(1), "--run", "a", "--output", path("a")).code()).isEqualTo(0);
        assertThat(run(dying(2), "--run", "b", "--output", path("b")).code()).isEqualTo(3);
        assertThat(run(dying(11), "--run", "c", "--output", path("c")).code()).isEqualTo(4);
        Ran stopped = run(
                dying(11).replace("failure-budget: 1", "failure-budget: {share: 10%, every: 5}"),
                "--run",
                "d",
                "--output",
                path("d"));
        assertThat(stopped.code()).isEqualTo(5);
        assertThat(stopped.err())
                .contains("run 'd' stopped: ", "the budget is 10.0 %", "redrive runs resume d --store")
                .contains("after a fix:  redrive runs reprocess d --resume", "dead samples still count");
        assertThat(stopped.out()).contains("budget_exceeded");
    }

    @Test
    void a_report_is_also_written_as_json_and_as_a_page() throws IOException {
        Ran ran = run(pass(), "--json", "--html", path("report.html"), "--quiet");

        assertThat(ran.out()).startsWith("{").contains("\"status\"").hasLineCount(1);
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("<html")
                .contains("</html>");
        assertThat(ran.err()).isEqualTo("the report as a page: " + path("report.html") + "\n");
    }

    @Test
    void wrong_input_is_reported_and_writes_no_file() throws IOException {
        refused("p.yml:1: must have 'stages', such as a list of http, command and filter; got stagse", "stagse: []");
        refused("p.yml: must have a list of 'stages'", "");
        refused("--input must name a file that exists", pass(), "--input", path("no.jsonl"));
        refused("--input must name a file, got", pass(), "--input", folder.toString());
        refused("so it cannot be a pipe", pass(), "--input", "-");
        refused("so it cannot be a pipe", pass(), "--output", "-");
        refused("--html must be in a folder that can be written to", pass(), "--html", path("no/page.html"));
        refused("--html must be a file that can be written to", pass(), "--html", folder.toString());
        refused("--html must be another file than those of the run", pass(), "--html", path("in.jsonl"));
        refused("--html must be another file than those of the run", pass(), "--html", path("out.jsonl"));
        refused("--output must be in a folder that can be written to", pass(), "--output", path("no/out.jsonl"));
        refused("--output must be a file that can be written to", pass(), "--output", folder.toString());
        refused("--output must be another file than --input", pass(), "--output", path("in.jsonl"));
        assertThat(folder.resolve("runs.db")).doesNotExist();
        assertThat(folder.resolve("out.jsonl")).doesNotExist();
    }

    @Test
    void an_input_that_cannot_be_unpacked_or_is_not_utf_8_is_refused_and_not_a_file_of_dead_samples()
            throws IOException {
        Files.write(folder.resolve("packed"), new byte[] {0x1F, (byte) 0x8B, 8, 0});
        Files.write(folder.resolve("wide"), "\uFEFF{}\n".getBytes(StandardCharsets.UTF_16LE));

        refused("the input must be a file that can be unpacked", pass(), "--input", path("packed"));
        refused("which is UTF-16; convert it first: iconv", pass(), "--input", path("wide"));
    }

    @Test
    void restart_deletes_only_files_of_the_earlier_run() throws IOException {
        run(pass(), "--run", "r");
        write("precious.jsonl", "precious\n");

        refused(
                "--output must be empty when a run begins",
                pass(),
                "--run",
                "r",
                "--restart",
                "--output",
                path("precious.jsonl"));
        assertThat(folder.resolve("precious.jsonl")).hasContent("precious");
        assertThat(runs("list").out()).contains("r  ");

        assertThat(run(pass(), "--run", "r", "--restart", "--output", path("new.jsonl"))
                        .code())
                .isZero();
        assertThat(Files.readAllLines(folder.resolve("new.jsonl"))).hasSize(20);
        assertThat(output()).hasSize(20);
    }

    @Test
    void an_empty_file_becomes_a_store() throws IOException {
        write("runs.db", "");

        assertThat(runs("list").err()).contains("there is no store at");
        assertThat(run(pass()).code()).isZero();
    }

    @Test
    void unreadable_lines_are_not_promised_to_come_back() throws IOException {
        write("in.jsonl", "{\"n\":\"1\"}\n{bad\n");

        Ran ran = run(pass(), "--run", "r");

        assertThat(ran.code()).isEqualTo(3);
        assertThat(ran.err())
                .contains("dead samples: redrive runs dead r", "from a file of their own")
                .doesNotContain("reprocess");
        assertThat(runs("reprocess", "r").err())
                .contains(
                        "0 samples are back", "the dead sample of run r could not be read, so no stage can try again");
    }

    @Test
    void an_output_that_the_run_did_not_write_is_left_alone() throws IOException {
        write("out.jsonl", "precious\n");

        refused("--output must be empty when a run begins", pass());

        assertThat(output()).containsExactly("precious");
        assertThat(runs("list").out()).isEqualTo("no runs\n");
    }

    @Test
    void a_run_is_resumed_only_with_the_same_stages_and_the_same_input() throws IOException {
        write("in.jsonl", samples(20_000));
        Ran stopped = run(dying(11).replace("failure-budget: 1", "failure-budget: {share: 10%, every: 5}"));
        assertThat(stopped.code()).isEqualTo(5);

        refused(
                "must be resumed with the pipeline it began with",
                dying(11).replace("command: work", "command: other"));
        write("in.jsonl", samples(20_000).replace("{\"n\":\"17\"}", "{\"n\":\"other\"}"));
        Ran changed = run(dying(0));
        assertThat(changed.code()).isEqualTo(1);
        assertThat(changed.err()).contains("has changed: its first", "resume with the source it began with");
    }

    @Test
    void dead_samples_are_listed_shown_and_brought_back_after_the_fix() throws IOException {
        AtomicBoolean fixed = new AtomicBoolean();
        try (StubService server = new StubService(request ->
                fixed.get() || !request.body().contains("7") ? Answer.ok(request.body()) : Answer.status(422))) {
            String yaml = "id: /n\nfailure-budget: 1\nstages:\n  - http: ask\n    url: " + server.url("/") + "\n";
            Ran first = run(yaml, "--run", "r");
            assertThat(first.code()).isEqualTo(3);
            assertThat(first.err()).contains("dead samples: redrive runs dead r --store ");

            assertThat(runs("dead", "r").out())
                    .contains("http_422")
                    .contains(" 7 ")
                    .contains(" 17 ")
                    .containsPattern("ask +1  not_retryable");
            for (String command : List.of("dead", "reprocess")) {
                assertThat(runs(command, "r", "--stage", "other"))
                        .returns(2, Ran::code)
                        .satisfies(ran -> assertThat(ran.err())
                                .contains("--stage must be one of run 'r', which has ask and source; got 'other'"));
            }
            assertThat(runs("dead", "r", "--stage", "source").out()).isEqualTo("no dead samples\n");
            assertThat(runs("dead", "r", "--error", "http_422", "--json").out())
                    .contains(
                            "\"sample\":\"7\"", "\"reason\":\"not_retryable\"", "\"payload\":\"{\\\"n\\\":\\\"7\\\"}\"")
                    .hasLineCount(2);
            assertThat(runs("dead", "r", "--limit", "1", "--json").out()).hasLineCount(1);
            assertThat(runs("show", "r", "7").out())
                    .contains("dead at stage ask", "HTTP 422", "failed", "{\"n\":\"7\"}");
            assertThat(runs("show", "r", "#17", "--json").out()).contains("\"sample\":\"17\"", "\"trail\":[{");

            fixed.set(true);
            Ran back = runs("reprocess", "r", "--stage", "ask", "--resume");
            assertThat(back.code()).isZero();
            assertThat(back.err()).contains("2 samples are back");
            assertThat(output()).hasSize(20);
            assertThat(runs("dead", "r").out()).isEqualTo("no dead samples\n");
        }
    }

    @Test
    void dead_samples_of_all_runs_of_a_pipeline_come_back_at_the_fixed_stage() throws Exception {
        AtomicBoolean fixed = new AtomicBoolean();
        try (StubService server = new StubService(request -> {
            boolean asked = request.path().equals("/ask") && request.body().contains("7");
            boolean scored = request.path().equals("/score") && request.body().contains("5") && !fixed.get();
            return asked || scored ? Answer.status(422) : Answer.ok(request.body());
        })) {
            String yaml = "failure-budget: 1\nstages:\n  - http: ask\n    url: " + server.url("/ask")
                    + "\n  - http: score\n    url: " + server.url("/score") + "\n";
            for (String id : List.of("a", "b")) {
                assertThat(run(yaml, "--run", id, "--output", path(id)).code()).isEqualTo(3);
            }

            fixed.set(true);
            Ran back = runs("reprocess", "--pipeline", "p", "--stage", "score");

            assertThat(back.code()).isZero();
            assertThat(back.err()).contains("4 samples are back", "redrive runs resume RUN");
            for (String id : List.of("a", "b")) {
                assertThat(runs("resume", id).code()).isEqualTo(3);
                assertThat(Files.readAllLines(folder.resolve(id)))
                        .hasSize(18)
                        .contains("{\"n\":\"5\"}")
                        .doesNotContain("{\"n\":\"7\"}")
                        .doesNotHaveDuplicates();
                assertThat(runs("show", id).out())
                        .contains("20 in = 18 succeeded + 0 skipped + 2 dead + 0 not started");
            }
            long asked = server.requests.stream()
                    .filter(request -> request.path().equals("/ask"))
                    .count();
            assertThat(asked).as("the stage before is not done again").isEqualTo(40);
        }
    }

    @Test
    void a_run_cancelled_by_another_process_stops_and_a_new_start_resumes_the_run() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        AtomicBoolean slow = new AtomicBoolean(true);
        try (StubService server = new StubService(request -> {
            called.countDown();
            return Answer.late(Duration.ofMillis(slow.get() ? 200 : 1), request.body());
        })) {
            write("in.jsonl", samples(2_000));
            String yaml = "stages:\n  - http: ask\n    url: " + server.url("/") + "\n    concurrency: 4\n";
            CompletableFuture<Ran> running = CompletableFuture.supplyAsync(() -> {
                try {
                    return run(yaml, "--run", "r");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            called.await();

            assertThat(runs("cancel", "r").out()).isEqualTo("run r is called off\n");

            Ran cancelled = running.get();
            assertThat(cancelled.code()).isEqualTo(130);
            assertThat(cancelled.out()).contains("cancelled");
            slow.set(false);
            assertThat(run(yaml, "--run", "r").code()).isZero();
            assertThat(output()).hasSize(2_000).doesNotHaveDuplicates();
        }
    }

    @Test
    void runs_are_listed_shown_reported_cancelled_and_deleted() throws IOException {
        run(pass(), "--run", "one");
        run(dying(20), "--run", "two", "--output", path("two.jsonl"));

        assertThat(runs("list").out().lines().toList())
                .satisfiesExactly(
                        title -> assertThat(title).startsWith("run"),
                        two -> assertThat(two).startsWith("two  failed"),
                        one -> assertThat(one).startsWith("one  completed"));
        assertThat(runs("list", "--json", "--limit", "1").out())
                .startsWith("{\"run\":\"two\"")
                .contains("\"status\":\"failed\"", "\"dead\":20")
                .hasLineCount(1);
        assertThat(runs("show", "two").out()).contains("20 in = 0 succeeded + 0 skipped + 20 dead + 0 not started");
        assertThat(runs("show", "two").out())
                .containsPattern("input +" + Pattern.quote(path("in.jsonl")))
                .containsPattern("output +" + Pattern.quote(path("two.jsonl")));
        assertThat(runs("report", "two").out()).contains("exit_3");
        assertThat(runs("report", "two", "--json").out()).startsWith("{");
        assertThat(runs("report", "two", "--html", path("r.html")).out()).isEmpty();
        assertThat(folder.resolve("r.html")).isNotEmptyFile();
        assertThat(runs("report", "two", "--html", path("two.jsonl")).err())
                .contains("--html must be another file than those of the run");
        assertThat(runs("cancel", "two").out()).isEqualTo("run two has ended already: failed\n");
        assertThat(runs("delete", "two").code()).isEqualTo(2);
        assertThat(runs("delete", "two", "--yes").out()).isEqualTo("run two is deleted, its output stays\n");
        assertThat(runs("list").out()).doesNotContain("two");
        assertThat(folder.resolve("two.jsonl")).exists();
    }

    @Test
    void a_missing_store_run_or_sample_is_reported() throws IOException {
        assertThat(runs("list"))
                .returns(1, Ran::code)
                .satisfies(ran -> assertThat(ran.err()).contains("there is no store at", "redrive run makes one"));
        run(pass(), "--run", "one");
        for (String command : List.of("show", "report", "dead", "reprocess", "resume", "cancel", "delete")) {
            Ran ran = runs(command, "nobody");
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).contains("there is no run 'nobody' in this store; see: redrive runs list");
        }
        assertThat(runs("show", "one", "s99").err()).contains("has taken no sample 's99'");
        assertThat(runs("reprocess", "--pipeline", "p", "--resume").code()).isEqualTo(2);
        assertThat(runs("reprocess", "--pipeline", "p").err()).contains("0 samples are back");
    }

    @Test
    void errors_of_the_command_line_parser_are_reported_in_the_words_of_redrive() {
        assertThat(runs("dead", "r", "--limit", "x").err())
                .contains("runs dead: --limit must be a whole number, got 'x'");
        assertThat(runs("list", "r").err()).contains("runs list: not known here: 'r'");
        assertThat(runs("reprocess").err()).startsWith("redrive runs reprocess: Missing required argument");
    }

    @Test
    void a_pipeline_file_with_a_new_mistake_is_refused_on_resume() throws IOException {
        run(dying(11).replace("failure-budget: 1", "failure-budget: {share: 10%, every: 5}"), "--run", "d");
        write("p.yml", "stages: []");

        Ran ran = runs("resume", "d");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("p.yml:1: stages: must have at least one stage");
    }

    @Test
    void a_setting_that_looks_like_a_mistake_is_a_warning() throws IOException {
        Ran ran = run(pass() + "    retry: {max-attempts: 50, max-duration: 10s}\n");

        assertThat(ran.code()).isZero();
        assertThat(ran.err()).contains("warning: stages[0].retry: ");
    }

    @Test
    void dead_samples_are_filtered_by_time() throws IOException {
        assertThat(run(dying(2), "--run", "r").code()).isEqualTo(3);
        ManualTime later = new ManualTime(Time.system().now().plus(Duration.ofHours(3)));
        assertThat(deadAt(later, "--since", "4h").out().lines()).hasSize(2);
        assertThat(deadAt(later, "--since", "2h").out()).isEmpty();
        assertThat(deadAt(later, "--until", "2h").out().lines()).hasSize(2);
        assertThat(deadAt(later, "--until", "4h").out()).isEmpty();
        assertThat(deadAt(later, "--since", "4h", "--until", "2h").out().lines())
                .hasSize(2);
        assertThat(deadAt(later, "--since", "yesterday"))
                .returns(2, Ran::code)
                .satisfies(ran -> assertThat(ran.err()).contains("--since").contains("yesterday"));
    }

    @Test
    void runs_and_their_dead_samples_name_the_run_the_error_and_the_message_alike_in_json() throws IOException {
        run(dying(1), "--run", "r");
        assertThat(runs("list", "--json").out()).startsWith("{\"run\":\"r\"").doesNotContain("\"id\":");
        String dead = runs("dead", "r", "--json").out();
        assertThat(dead)
                .startsWith("{\"run\":\"r\",\"sample\":")
                .contains("\"error_type\":\"exit_3\"", "\"message\":")
                .doesNotContain("\"id\":");
    }

    private Ran deadAt(Time time, String... narrowed) {
        List<String> args = new ArrayList<>(List.of("runs", "dead", "r", "--json", "--store", path("runs.db")));
        args.addAll(List.of(narrowed));
        return Ran.redrive(time, args.toArray(String[]::new));
    }

    private void refused(String message, String yaml, String... more) throws IOException {
        Ran ran = run(yaml, more);

        assertThat(ran.err()).contains(message).contains("Try 'redrive run --help'");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
    }

    private static String pass() {
        return "stages:\n  - command: work\n    run: [cat]\n";
    }

    /** Lets the first samples die. */
    private static String dying(int samples) {
        String script = "read -r l; n=${l#*:?}; n=${n%%\\\"*}; [ $n -lt " + samples + " ] && exit 3; echo $l";
        return "failure-budget: 1\nstages:\n  - command: work\n    mode: once\n    concurrency: 1\n    run: \""
                + script.replace("\\\"", "\\\\\\\"").replace("${", "$${") + "\"\n    retry: {enabled: false}\n";
    }

    private Ran run(String yaml, String... more) throws IOException {
        write("p.yml", yaml);
        List<String> args = new ArrayList<>(List.of("run", path("p.yml"), "--store", path("runs.db")));
        args.addAll(List.of(more));
        if (!args.contains("--input")) {
            args.addAll(List.of("--input", path("in.jsonl")));
        }
        if (!args.contains("--output")) {
            args.addAll(List.of("--output", path("out.jsonl")));
        }
        return Ran.redrive(Time.system(), args.toArray(String[]::new));
    }

    private Ran runs(String command, String... more) {
        List<String> args = new ArrayList<>(List.of("runs", command));
        args.addAll(List.of(more));
        args.addAll(List.of("--store", path("runs.db")));
        return Ran.redrive(Time.system(), args.toArray(String[]::new));
    }

    private List<String> output() throws IOException {
        return Files.readAllLines(folder.resolve("out.jsonl"));
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private static String samples(int count) {
        StringBuilder lines = new StringBuilder();
        IntStream.range(0, count).forEach(n -> lines.append("{\"n\":\"" + n + "\"}\n"));
        return lines.toString();
    }
}

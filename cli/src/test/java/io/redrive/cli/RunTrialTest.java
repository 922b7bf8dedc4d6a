package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.StubService.Answer;
import io.redrive.core.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trials of a run: a part of the input, a dry run, and the early stop. */
@Timeout(120)
final class RunTrialTest {

    private static final String PASS = "stages:\n  - command: work\n    run: [cat]\n";
    private static final String BROKEN =
            "failure-budget: 1\nstages:\n  - command: work\n    mode: once\n    run: 'exit 3'\n    retry: {enabled: false}\n";

    @TempDir
    private Path folder;

    @BeforeEach
    void samples() throws IOException {
        write(
                "in.jsonl",
                IntStream.range(0, 500).mapToObj(n -> "{\"n\":" + n + "}\n").collect(Collectors.joining()));
    }

    @Test
    void a_limit_takes_the_first_samples_only() throws IOException {
        Ran ran = run(PASS, "--limit", "7");

        assertThat(ran.code()).isZero();
        assertThat(ran.err()).contains("100%, 7 of 7");
        assertThat(output()).hasSize(7).contains("{\"n\":6}").doesNotContain("{\"n\":7}");
    }

    @Test
    void a_sample_is_the_same_in_every_run() throws IOException {
        run(PASS, "--sample", "10%");
        List<String> drawn = output();

        run(PASS, "--sample", "0.1", "--output", path("again.jsonl"));

        assertThat(drawn).hasSizeBetween(20, 90);
        assertThat(Files.readAllLines(folder.resolve("again.jsonl"))).containsExactlyInAnyOrderElementsOf(drawn);
    }

    @Test
    void a_stopped_run_goes_on_with_the_selected_samples_only() throws IOException {
        run(BROKEN, "--limit", "100");

        assertThat(run(PASS, "--limit", "200"))
                .returns(2, Ran::code)
                .satisfies(ran -> assertThat(ran.err())
                        .contains("must go on with the samples it began with, --limit 100, got --limit 200"));
        assertThat(run(PASS).err()).contains("--limit 100, got all of its input; give the same options, or begin anew");
        String id = Ran.redrive(Time.system(), "runs", "list", "--store", path("runs.db"))
                .out()
                .lines()
                .toList()
                .get(1)
                .split(" ")[0];
        Ran resumed = Ran.redrive(Time.system(), "runs", "resume", id, "--store", path("runs.db"));
        assertThat(resumed.out()).contains("100");
        assertThat(output().size()).isBetween(60, 80);
    }

    @Test
    void wrong_selections_are_refused_before_any_file_is_written() throws IOException {
        refused("--limit must be at least 1, got 0", "--limit", "0");
        refused("--sample must be a share above 0% and at most 100%, such as 5% or 0.05, got '0%'", "--sample", "0%");
        refused("--sample must be a share above 0% and at most 100%, such as 5% or 0.05, got '5'", "--sample", "5");
        refused("--sample must be a share above 0% and at most 100%, such as 5% or 0.05, got 'x'", "--sample", "x");
        refused("--seed must come with --sample", "--seed", "1");
        refused("--output must be JSON lines, packed with gzip when its name ends with .gz", "--output", path("o.zst"));
        assertThat(folder.resolve("runs.db")).doesNotExist();
    }

    @Test
    void a_dry_run_shows_three_samples_through_every_stage_and_writes_nothing() throws IOException {
        write("in.jsonl", "{\"n\":1}\n{\"n\":2}\nbroken\n{\"n\":4}\n");
        try (StubService server = new StubService(request -> Answer.ok("{\"t\":\"a\\u001b[2Jb\"}"))) {
            Ran ran = run("""
                    stages:
                      - filter: odd
                        where: /n == 1
                      - http: ask
                        url: %s
                        pick: /t
                        into: /t
                    """.formatted(server.url("/")), "--dry-run");

            assertThat(ran.out()).startsWith("""
                    sample 1: succeeded
                      reads  {"n":1}
                      odd gives  {"n":1}
                      ask gives  {"n":1,"t":"a\\u001b[2Jb"}
                    sample 2: skipped
                      reads  {"n":2}
                      odd skips it: /n is 2; wanted: /n == 1
                    sample 3: dead, it cannot be read
                    """);
            assertThat(ran.out()).contains("line 3 is not JSON");
            assertThat(ran.err())
                    .contains("HTTP and command stages are called", "3 in = 1 succeeded + 1 skipped + 1 dead");
            assertThat(ran.code()).isEqualTo(3);
            assertThat(server.requests).hasSize(1);
        }
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("in.jsonl", "p.yml");
    }

    @Test
    void a_dry_run_needs_no_output_and_a_run_does() throws IOException {
        write("p.yml", PASS);
        String[] args = {"run", path("p.yml"), "--input", path("in.jsonl"), "--store", path("runs.db"), "--dry-run"};

        assertThat(Ran.redrive(Time.system(), args).code()).isZero();
        args[6] = "--quiet";
        assertThat(Ran.redrive(Time.system(), args))
                .returns(2, Ran::code)
                .satisfies(ran -> assertThat(ran.err()).contains("--output must name the file for the results"));
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("in.jsonl", "p.yml");
    }

    @Test
    void a_stage_that_never_succeeds_stops_the_run_which_goes_on_once_the_cause_is_gone() throws IOException {
        Ran stopped = run(BROKEN);

        assertThat(stopped.code()).isEqualTo(5);
        assertThat(stopped.err())
                .contains("stopped: the first 20 calls of stage 'work' all failed with exit_3, and none succeeded")
                .contains("the same command goes on with it");
        Ran on = run(PASS);
        assertThat(on.out()).contains("succeeded");
        assertThat(output()).hasSizeBetween(400, 480);
    }

    @Test
    void the_early_stop_may_be_set_or_switched_off() throws IOException {
        assertThat(run("early-stop: off\n" + BROKEN).code()).isEqualTo(4);
        assertThat(run("early-stop: 3\n" + BROKEN, "--run", "three", "--output", path("o3"))
                        .err())
                .containsPattern("the first [3-9] calls of stage 'work'");
        assertThat(run("early-stop: 0\n" + BROKEN).err())
                .contains("early-stop: must be a whole number of calls of at least 1, or off, got '0'");
    }

    @Test
    void a_packed_output_is_one_text_also_after_a_torn_write() throws IOException {
        run(BROKEN, "--output", path("out.jsonl.gz"));
        Files.write(folder.resolve("out.jsonl.gz"), new byte[] {0x1F, (byte) 0x8B, 8}, StandardOpenOption.APPEND);

        run(PASS, "--output", path("out.jsonl.gz"));

        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(folder.resolve("out.jsonl.gz"))), StandardCharsets.UTF_8))) {
            assertThat(lines.lines().toList()).hasSizeBetween(400, 480).doesNotHaveDuplicates();
        }
    }

    @Test
    void a_csv_file_is_an_input() throws IOException {
        write("in.csv", "id,text\n1,\"a,b\"\n2\n3,c\n");

        Ran ran = run("id: /id\nstatus: {completed: 50%}\n" + PASS, "--input", path("in.csv"));

        assertThat(ran.code()).isZero();
        assertThat(output())
                .containsExactlyInAnyOrder("{\"id\":\"1\",\"text\":\"a,b\"}", "{\"id\":\"3\",\"text\":\"c\"}");
        write("twice.csv", "id,id\n1,2\n");
        refused("column 2 of the CSV header must have a name of its own", "--input", path("twice.csv"));
    }

    @Test
    void several_parts_of_an_answer_go_to_several_places() throws IOException {
        write("in.jsonl", "{\"n\":1}\n");
        try (StubService server = new StubService(request -> Answer.ok("{\"text\":\"hi\",\"usage\":{\"total\":12}}"))) {
            run("""
                    stages:
                      - http: ask
                        url: %s
                        pick:
                          /text: /text
                          /cost/tokens: /usage/total
                    """.formatted(server.url("/")));

            assertThat(output()).containsExactly("{\"n\":1,\"text\":\"hi\",\"cost\":{\"tokens\":12}}");
        }
    }

    private void refused(String message, String... more) throws IOException {
        Ran ran = run(PASS, more);

        assertThat(ran.err()).contains(message);
        assertThat(ran.code()).isEqualTo(2);
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

    private List<String> output() throws IOException {
        return Files.readAllLines(folder.resolve("out.jsonl"));
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}

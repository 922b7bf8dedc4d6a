package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BenchTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void without_arguments_the_suites_and_their_options_are_listed() throws Exception {
        assertThat(run()).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("rounds", "counts its rounds", "--rounds N: how many", "--quick");
    }

    @Test
    void an_unknown_suite_is_a_wrong_command() throws Exception {
        assertThat(run("nothing")).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("redrive bench: no suite 'nothing'; there is rounds");
    }

    @Test
    void an_unknown_option_is_a_wrong_command() throws Exception {
        assertThat(run("rounds", "--fast")).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines(
                        "redrive bench: rounds: no option '--fast'; there is --rounds N, --case NAME,…, --quick");
    }

    @Test
    void fewer_letters_than_questions_need_are_refused_before_the_first_case() {
        assertThatThrownBy(() -> Options.parse(new OperationsSuite().options(), List.of("--letters", "9999")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--letters must be a whole number from 10000 on, got 9999");
    }

    @Test
    void an_option_without_its_number_is_a_wrong_command() throws Exception {
        assertThat(run("rounds", "--rounds")).isEqualTo(2);
        assertThat(run("rounds", "--rounds", "0")).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--rounds must be a whole number from 1 on, got nothing", "got 0");
    }

    @Test
    void a_run_prints_the_table_and_replaces_the_results_file() throws Exception {
        assertThat(run("rounds", "--rounds", "7", "--quick")).isZero();
        assertThat(run("rounds")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("| quick | rounds | 7 ", "| full | rounds | 3 ");
        assertThat(Files.readAllLines(folder.resolve("results/rounds.jsonl")))
                .singleElement()
                .asString()
                .startsWith("{\"suite\":\"rounds\",\"case\":\"full\",\"metric\":\"rounds\",\"ours\":3,");
    }

    @Test
    void chosen_cases_replace_only_their_own_lines() throws Exception {
        assertThat(run("rounds", "--quick")).isZero();
        assertThat(run("rounds", "--case", "full")).isZero();
        assertThat(run("rounds", "--case", "full", "--rounds", "5")).isZero();

        assertThat(Files.readAllLines(folder.resolve("results/rounds.jsonl")))
                .extracting(line ->
                        Json.read(line).get("case") + " " + Json.read(line).get("ours"))
                .containsExactly("quick 3.0", "full 5.0");
    }

    @Test
    void an_unknown_case_is_a_wrong_command() throws Exception {
        assertThat(run("rounds", "--case", "full,half")).isEqualTo(2);
        assertThat(run("rounds", "--case")).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--case: no case 'half'; there is full, quick", "no case 'nothing'");
    }

    @Test
    void the_results_folder_is_found_from_the_jar_upwards() throws Exception {
        Files.createDirectories(folder.resolve("bench/target"));
        Files.createFile(folder.resolve("bench/pom.xml"));

        assertThat(ResultFile.folder(folder.resolve("bench/target/redrive-bench.jar")))
                .isEqualTo(folder.resolve("bench/results"));
    }

    @Test
    void a_jar_outside_of_a_checkout_is_refused() {
        assertThatThrownBy(() -> ResultFile.folder(folder.resolve("redrive-bench.jar")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no checkout of Redrive");
    }

    private int run(String... args) throws Exception {
        return new Bench(List.of(new Rounds()), folder.resolve("results"), stream(out), stream(err)).run(List.of(args));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static final class Rounds implements Suite {
        private static final Options.Option ROUNDS = Options.Option.number("--rounds", "how many");

        @Override
        public String name() {
            return "rounds";
        }

        @Override
        public String about() {
            return "counts its rounds";
        }

        @Override
        public List<Options.Option> options() {
            return List.of(ROUNDS, Options.Option.cases(List.of("full", "quick")));
        }

        @Override
        public List<BenchResult> run(Options options, Consumer<String> progress) {
            Measured measured = new Measured("rounds", options.number(ROUNDS, 3), Map.of(), null);
            return List.of(BenchResult.plain("rounds", options.quick() ? "quick" : "full", measured));
        }
    }
}

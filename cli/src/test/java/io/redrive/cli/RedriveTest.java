package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RedriveTest {

    @Test
    void help_names_every_command() {
        Ran ran = Ran.redrive("--help");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("demo", "policy", "bench", "dlq", "publish", "stats", "Exit codes:");
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void version_names_redrive_and_java() {
        Ran ran = Ran.redrive("--version");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).startsWith("redrive ").contains("Java " + System.getProperty("java.version"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "policy", "dlq"})
    void a_group_without_a_command_shows_its_usage_and_is_wrong_input(String group) {
        Ran ran = group.isEmpty() ? Ran.redrive() : Ran.redrive(group);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("Usage: redrive", "COMMAND");
    }

    @Test
    void help_finds_a_command_below_a_command() {
        assertThat(Ran.redrive("help", "policy", "explain").out())
                .isEqualTo(Ran.redrive("policy", "explain", "--help").out())
                .contains("--max-attempts=N");
    }

    @Test
    void help_finds_the_commands_for_dead_letters() {
        assertThat(Ran.redrive("help", "dlq", "redrive").out())
                .isEqualTo(Ran.redrive("dlq", "redrive", "--help").out())
                .contains("--canary", "Exit codes:")
                .containsPattern("3 +a canary halted");
    }

    @Test
    void help_for_an_unknown_command_names_the_known_commands() {
        Ran ran = Ran.redrive("help", "policy", "exlain");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("the command must be one of explain, presets, got 'exlain'");
    }

    @Test
    void a_mistyped_command_is_answered_with_the_nearest_command() {
        Ran ran = Ran.redrive("polcy");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("'polcy'", "redrive policy", "Try 'redrive --help'.");
    }

    @Test
    void a_mistyped_option_is_answered_with_the_nearest_option() {
        Ran ran = Ran.redrive("policy", "explain", "--max-attemps", "3");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("--max-attemps", "Did you mean: --max-attempts?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nmae", "--nmae=order.*"})
    void an_option_mistyped_from_the_second_letter_on_is_recognized(String option) {
        Ran ran = Ran.redrive("dlq", "list", option);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("not known here: '" + option + "'", "Did you mean: --name?");
    }

    @Test
    void bench_outside_a_checkout_names_the_place_to_run_from() {
        Ran ran = Ran.redrive("bench", "retry", "--quick");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("./redrive bench");
    }
}

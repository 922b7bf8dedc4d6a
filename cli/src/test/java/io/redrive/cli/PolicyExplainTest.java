package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PolicyExplainTest {

    @Test
    void the_schedule_is_a_table_with_a_bar_for_each_wait() {
        Ran ran = explain("--max-attempts 8 --backoff exponential --initial 250ms --max 60s --jitter full --ttl 30m");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEqualToNormalizingNewlines("""
                8 attempts, exponential 250ms ×2, max 1m, full jitter, within 30m

                attempt   base  least   most  cumulative  wait
                      1  250ms    0ms  250ms       250ms  ░
                      2  500ms    0ms  500ms       750ms  ░
                      3     1s    0ms     1s       1.75s  ░░░
                      4     2s    0ms     2s       3.75s  ░░░░░
                      5     4s    0ms     4s       7.75s  ░░░░░░░░░░
                      6     8s    0ms     8s      15.75s  ░░░░░░░░░░░░░░░░░░░░
                      7    16s    0ms    16s      31.75s  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░

                worst case: 31.75s of waiting
                """);
    }

    @Test
    void the_part_of_a_wait_that_is_certain_is_drawn_solid() {
        assertThat(explain("--preset events").out()).contains("""
                      1    1s  800ms  1.2s        1.2s  █████████████░░░░░░░
                      2    2s   1.6s  2.4s        3.6s  ███████████████████████████░░░░░░░░░░░░░
                """);
    }

    @Test
    void a_wide_range_of_waits_is_drawn_on_a_logarithmic_scale() {
        assertThat(explain("--initial 100ms --max 300s --max-attempts 12 --jitter none")
                        .out())
                .contains("wait (logarithmic)");
    }

    @Test
    void a_long_schedule_shows_the_first_and_the_last_waits() {
        String out = explain("--max-attempts 101 --backoff fixed --initial 1s --jitter 0.1")
                .out();

        assertThat(out)
                .contains("77 more")
                .contains("\n     20 ")
                .contains("\n     98 ")
                .contains("\n    100 ");
        assertThat(out).doesNotContain("\n     21 ").doesNotContain("\n     97 ");
    }

    @Test
    void options_change_the_preset() {
        assertThat(explain("--preset visibility --max-attempts 3 --jitter 0.5").out())
                .startsWith("3 attempts, exponential 250ms ×2, max 1m, jitter ±50%, within 30m\n");
    }

    @Test
    void delays_imply_the_kind_of_backoff() {
        assertThat(explain("--preset connection --delays 1s,5s,30s").out())
                .startsWith("5 attempts, delays 1s, 5s, 30s, no jitter\n");
    }

    @Test
    void the_long_names_of_the_configuration_are_options_too() {
        assertThat(explain("--initial-delay 1s --max-delay 20s --max-duration 10m")
                        .out())
                .startsWith("3 attempts, exponential 1s ×2, max 20s, jitter ±10%, within 10m\n");
    }

    @Test
    void one_attempt_has_no_table() {
        assertThat(explain("--max-attempts 1").out()).isEqualToNormalizingNewlines("""
                1 attempt

                worst case: 0ms of waiting
                """);
    }

    @Test
    void warnings_of_the_policy_are_shown() {
        assertThat(explain("--max-attempts 6 --initial 10s --max 100s --ttl 1m").out())
                .contains("warning: attempts 4 to 6 do not fit into maxDuration 1m");
    }

    @Test
    void an_option_without_effect_is_a_warning() {
        assertThat(explain("--increment 1s").out())
                .contains("warning: --increment has no effect with backoff exponential");
        assertThat(explain("--backoff linear --increment 1s").out()).doesNotContain("no effect");
    }

    @Test
    void json_has_exact_milliseconds() {
        assertThat(explain("--max-attempts 3 --backoff fixed --initial 1.5ms --jitter equal --ttl 1m --json")
                        .out())
                .isEqualToNormalizingNewlines("{\"policy\":\"3 attempts, fixed 1.5ms, equal jitter, within 1m\","
                        + "\"max_attempts\":3,\"ttl_ms\":60000,\"waits\":["
                        + "{\"attempt\":1,\"base_ms\":1.5,\"least_ms\":0.75,\"most_ms\":1.5,\"cumulative_ms\":1.5},"
                        + "{\"attempt\":2,\"base_ms\":1.5,\"least_ms\":0.75,\"most_ms\":1.5,\"cumulative_ms\":3}],"
                        + "\"worst_case_ms\":3,\"warnings\":[]}\n");
    }

    @Test
    void json_of_an_endless_schedule_has_no_worst_case() {
        assertThat(explain("--max-attempts 5000 --json").out()).contains("\"worst_case_ms\":null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--max-attempts 0 | --max-attempts | at least 1 | '0'",
                "--max-attempts -1 | --max-attempts | at least 1 | '-1'",
                "--max-attempts many | --max-attempts | a whole number | 'many'",
                "--initial 250 | --initial | a number with a unit | '250'",
                "--initial 20s --max 10s | --max | initial delay of 20s | got '10s'",
                "--multiplier 0.5 | --multiplier | at least 1 | '0.5'",
                "--backoff linear --increment 5 | --increment | a number with a unit | '5'",
                "--backoff quadratic | --backoff | one of none, fixed, linear | 'quadratic'",
                "--delays 1s,soon | --delays | a number with a unit | 'soon'",
                "--jitter ful | --jitter | none, full, equal | 'ful'",
                "--jitter 1.5 | --jitter | between 0 and 1 | got '1.5'",
                "--ttl 0s | --ttl | longer than zero | got",
                "--preset nope | --preset | one of events, stage | 'nope'",
                "--preset stage --file x.yml | --preset | or --file | not both",
                "--at a.b | --at | a file | --file",
                "--file no-such-file.yml | --file | exists | 'no-such-file.yml'",
            })
    void a_bad_value_is_refused_with_option_rule_and_value(String args, String option, String rule, String value) {
        Ran ran = explain(args);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err().lines().findFirst().orElseThrow())
                .startsWith("redrive policy explain: ")
                .containsSubsequence(": ", option, rule, value);
        assertThat(ran.err())
                .endsWith("Try 'redrive policy explain --help'." + System.lineSeparator())
                .doesNotContain("\tat ");
    }

    @Test
    void an_empty_value_is_refused() {
        Ran ran = Ran.redrive("policy", "explain", "--initial", "");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("--initial must have a value");
    }

    @Test
    void presets_are_listed_by_name() {
        Ran ran = Ran.redrive("policy", "presets");

        assertThat(ran.out().lines())
                .hasSize(6)
                .contains("visibility  8 attempts, exponential 250ms ×2, max 1m, full jitter, within 30m");
        assertThat(Ran.redrive("policy", "presets", "--json").out())
                .startsWith("{\"events\":\"3 attempts, exponential 1s ×2, max 5m, jitter ±20%\",");
    }

    private static Ran explain(String args) {
        return Ran.redrive(("policy explain " + args).split(" "));
    }
}

package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.terminal.NoTerminal;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryVariables;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RetryVariablesTest {

    private static final Map<String, String> SET = Map.of(
            "RETRY_MAX_ATTEMPTS",
            "5",
            "RETRY_BASE_DELAY_MS",
            "100",
            "RETRY_MAX_DELAY_SECONDS",
            "10",
            "RETRY_BACKOFF_FACTOR",
            "3",
            "RETRY_TTL_MINUTES",
            "2");

    @Test
    void explain_shows_the_policy_that_an_application_makes_of_the_variables() {
        Ran ran = explain(SET);

        assertThat(ran.out())
                .startsWith(RetryPolicy.fromEnvironment(SET).toString() + "\n")
                .contains("RETRY_* variables of the environment are part of this policy");
    }

    @Test
    void options_and_presets_replace_variables() {
        assertThat(explain(SET, "--max-attempts", "2").out()).startsWith("2 attempts, exponential 100ms ×3");
        assertThat(explain(SET, "--preset", "events").out())
                .startsWith("3 attempts")
                .doesNotContain("RETRY_");
        assertThat(explain(SET, "--delays", "1s,2s").out()).startsWith("5 attempts, delays 1s, 2s");
    }

    @Test
    void a_bad_variable_is_wrong_input_and_is_named() {
        Ran ran = explain(Map.of("RETRY_BASE_DELAY_MS", "soon"));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("RETRY_BASE_DELAY_MS", "soon");
    }

    @Test
    void without_variables_the_policy_stays() {
        assertThat(explain(Map.of("RETRY_MAX_ATTEMPTS", " ")).out())
                .isEqualTo(explain(Map.of()).out());
        assertThat(RetryVariables.below(Set.of(), Map.of())).isEmpty();
    }

    @Test
    void a_given_setting_replaces_its_variable_and_a_given_backoff_replaces_all_of_the_backoff() {
        assertThat(RetryVariables.below(Set.of("initial-delay-seconds", "max-attempts"), SET))
                .containsOnlyKeys("max-duration");
        assertThat(RetryVariables.below(Set.of("jitter"), SET))
                .containsOnlyKeys("max-attempts", "max-duration", "initial-delay", "max-delay", "multiplier");
        assertThat(RetryVariables.below(Set.of("preset"), SET)).isEmpty();
    }

    private static Ran explain(Map<String, String> environment, String... options) {
        Context context = new Context(
                new ManualTime(), new JdbcStores(), new NoTerminal(), InputStream.nullInputStream(), environment);
        String[] args = new String[options.length + 2];
        args[0] = "policy";
        args[1] = "explain";
        System.arraycopy(options, 0, args, 2, options.length);
        return Ran.redrive(context, args);
    }
}

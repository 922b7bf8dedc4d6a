package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RetryVariablesTest {

    private static final Map<String, String> ALL = Map.of(
            "RETRY_MAX_ATTEMPTS", " 5 ",
            "RETRY_TTL_MINUTES", "2",
            "RETRY_BASE_DELAY_MS", "100",
            "RETRY_MAX_DELAY_SECONDS", "10",
            "RETRY_BACKOFF_FACTOR", "3");

    @Test
    void each_variable_is_a_setting_with_its_unit() {
        assertThat(RetryVariables.settings(ALL))
                .containsExactly(
                        Map.entry("max-attempts", "5"),
                        Map.entry("max-duration", "2m"),
                        Map.entry("initial-delay", "100ms"),
                        Map.entry("max-delay", "10s"),
                        Map.entry("multiplier", "3"));
        assertThat(RetryVariables.names()).containsExactlyInAnyOrderElementsOf(ALL.keySet());
    }

    @Test
    void settings_of_variables_make_the_policy_of_the_environment() {
        assertThat(Presets.VISIBILITY.with(RetryVariables.settings(ALL)))
                .hasToString(RetryPolicy.fromEnvironment(ALL).toString());
    }

    @Test
    void a_blank_variable_counts_as_not_set() {
        assertThat(RetryVariables.settings(Map.of("RETRY_MAX_ATTEMPTS", " "))).isEmpty();
        assertThat(RetryVariables.settings(Map.of())).isEmpty();
    }

    @Test
    void a_given_setting_replaces_its_variable_and_no_other() {
        assertThat(RetryVariables.below(Set.of("max-attempts", "jitter"), ALL))
                .containsOnlyKeys("max-duration", "initial-delay", "max-delay", "multiplier");
    }

    @Test
    void a_given_part_of_the_backoff_replaces_all_variables_of_the_backoff() {
        for (String key : Set.of("backoff", "delays", "increment", "initial-delay-seconds", "multiplier")) {
            assertThat(RetryVariables.below(Set.of(key), ALL)).containsOnlyKeys("max-attempts", "max-duration");
            assertThat(RetryVariables.isBackoffGiven(Set.of(key))).isTrue();
        }
        assertThat(RetryVariables.isBackoffGiven(Set.of("max-attempts", "jitter")))
                .isFalse();
    }

    @Test
    void a_preset_replaces_all_variables_even_a_bad_one() {
        assertThat(RetryVariables.below(Set.of("preset"), Map.of("RETRY_MAX_ATTEMPTS", "many")))
                .isEmpty();
    }

    @Test
    void a_refusal_names_the_variable() {
        assertThatThrownBy(() -> RetryVariables.settings(Map.of("RETRY_BASE_DELAY_MS", "soon")))
                .isInstanceOfSatisfying(
                        SettingException.class,
                        refusal -> assertThat(refusal.key()).isEqualTo("RETRY_BASE_DELAY_MS"))
                .hasMessageContaining("soon");
    }

    @Test
    void keys_that_a_kind_of_backoff_does_not_use_are_named_in_a_fixed_order() {
        Set<String> keys = Set.of("delays", "increment", "multiplier", "max-delay", "initial-delay", "max-attempts");

        assertThat(PolicyLint.unusedKeys("exponential", keys)).containsExactly("increment", "delays");
        assertThat(PolicyLint.unusedKeys("linear", keys)).containsExactly("multiplier", "delays");
        assertThat(PolicyLint.unusedKeys("fixed", keys))
                .containsExactly("max-delay", "multiplier", "increment", "delays");
        assertThat(PolicyLint.unusedKeys("delays", keys))
                .containsExactly("initial-delay", "max-delay", "multiplier", "increment");
        assertThat(PolicyLint.unusedKeys("none", keys))
                .containsExactly("initial-delay", "max-delay", "multiplier", "increment", "delays");
    }
}

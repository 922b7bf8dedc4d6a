package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyFileTest {

    private static final String NESTED = """
            payments:
              retry:
                enabled: true
                max-attempts: 4
                initial-delay-seconds: 5
                max-delay-seconds: 300
                backoff-multiplier: 1.5
            """;

    @TempDir
    private Path folder;

    @Test
    void settings_at_the_top_are_read() throws IOException {
        Ran ran = explain("preset: events\nmax-attempts: 4\njitter: full\nmax-duration: 1h\n");

        assertThat(ran.out()).startsWith("4 attempts, exponential 1s ×2, max 5m, full jitter, within 1h\n");
    }

    @Test
    void settings_below_a_key_are_read_with_at() throws IOException {
        assertThat(explain(NESTED, "--at", "payments.retry").out())
                .startsWith("4 attempts, exponential 5s ×1.5, max 5m, no jitter\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"redrive.events.policies.order.*", "redrive.events.policies[order.*]", "redrive.ports.8080"})
    void a_key_with_dots_or_of_digits_is_found_as_suggested(String at) throws IOException {
        String file =
                "redrive:\n  events:\n    policies:\n      order.*: {max-attempts: 7}\n      order: {max-attempts: 2}\n"
                        + "  ports:\n    8080: {max-attempts: 7}\n";

        assertThat(explain(file, "--at", at).out()).startsWith("7 attempts");
    }

    @Test
    void every_key_that_a_refusal_names_is_accepted() throws IOException {
        String file = "policies:\n  order.*: {max-attempts: 7}\n  ml.run.*: {max-attempts: 7}\n";

        Ran refused = explain(file, "--at", "policies.oder.*");
        assertThat(refused.err()).contains("has no 'policies.oder.*'; there is policies.order.*, policies.ml.run.*");
        assertThat(explain(file, "--at", "policies").err()).contains("add --at 'policies.order.*'");
        assertThat(explain(file, "--at", "policies.ml.run.*").out()).startsWith("7 attempts");
    }

    @Test
    void an_option_replaces_either_spelling_of_the_setting_in_a_file() throws IOException {
        assertThat(explain(NESTED, "--at", "payments.retry", "--initial", "1s", "--multiplier", "2")
                        .out())
                .startsWith("4 attempts, exponential 1s ×2, max 5m, no jitter\n");
    }

    @Test
    void a_yaml_list_is_a_list() throws IOException {
        assertThat(explain("delays: [1s, 5s]\njitter: none\nretry-on-status: [429, 503]\n")
                        .out())
                .startsWith("3 attempts, delays 1s, 5s, no jitter\n");
    }

    @Test
    void classes_of_the_application_are_not_loaded() throws IOException {
        Ran ran = explain("retry-on: [com.example.Unknown]\n");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("warning: retry-on is not checked here");
    }

    @Test
    void a_disabled_policy_warns_that_its_settings_have_no_effect() throws IOException {
        assertThat(explain("enabled: false\nmax-attempts: 9\n").out())
                .startsWith("1 attempt\n")
                .contains("enabled is false");
    }

    @Test
    void a_bad_value_names_file_key_rule_and_value() throws IOException {
        refused("max-attempts: many\n", "policy.yml: max-attempts: must be a whole number, got 'many'");
        refused("a:\n  max-attempts: 0\n", "policy.yml: a.max-attempts: must be at least 1, got '0'", "--at", "a");
    }

    @Test
    void the_refusal_of_an_unknown_key_lists_the_known_keys() throws IOException {
        refused(
                "max-atempts: 3\n",
                "policy.yml: unknown setting 'max-atempts' = '3'; did you mean max-attempts? known");
    }

    @Test
    void a_hint_names_the_key_of_a_policy_below_the_top() throws IOException {
        refused(NESTED, "'payments' is a mapping, not a setting; if the policy is in there, add --at payments");
    }

    @Test
    void the_refusal_of_a_wrong_place_lists_the_places_of_the_file() throws IOException {
        refused(NESTED, "has no 'payments.retri'; there is payments.retry", "--at", "payments.retri");
        refused(NESTED, "'payments.retry.enabled' in", "--at", "payments.retry.enabled");
    }

    @Test
    void a_file_that_is_no_yaml_mapping_is_refused_with_the_line() throws IOException {
        refused("a: [1\n", "policy.yml:2: not valid YAML");
        refused("max-attempts: 3\nmax-attempts: 4\n", "policy.yml:2: not valid YAML: found duplicate key max-attempts");
        refused("", "the file must be a mapping such as 'max-attempts: 5', got nothing");
        refused("- 1\n", "the file must be a mapping");
        refused("!!java.net.URL [http://localhost]\n", "not valid YAML");
    }

    private void refused(String yaml, String message, String... args) throws IOException {
        Ran ran = explain(yaml, args);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains(message).doesNotContain("\tat ");
    }

    private Ran explain(String yaml, String... args) throws IOException {
        Path file = Files.writeString(folder.resolve("policy.yml"), yaml);
        List<String> all = new ArrayList<>(List.of("policy", "explain", "--file", file.toString()));
        all.addAll(List.of(args));
        return Ran.redrive(all.toArray(String[]::new));
    }
}

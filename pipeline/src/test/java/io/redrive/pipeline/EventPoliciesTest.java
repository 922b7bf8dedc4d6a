package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.redrive.core.Jitter;
import io.redrive.core.Presets;
import io.redrive.core.RetryPolicy;
import io.redrive.core.SettingException;
import io.redrive.events.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventPoliciesTest {

    private final Rig rig = new Rig();

    @ParameterizedTest
    @CsvSource({
        "ml.run.started, 5, 1000",
        "ml.run.step.done, 5, 1000",
        "ml.trial.started, 3, 1000",
        "ui.command.click, 2, 0",
        "system.boot, 3, 1000",
        "order.paid, 3, 1000",
        "ml.runner.started, 3, 1000",
        "ml.run, 3, 1000",
    })
    void the_defaults_are_the_table_of_the_specification(String name, int attempts, long firstWaitMillis) {
        RetryPolicy policy = EventPolicies.defaults().policyFor(name);
        assertThat(policy.maxAttempts()).isEqualTo(attempts);
        assertThat(policy.backoff().delay(1)).isEqualTo(Duration.ofMillis(firstWaitMillis));
    }

    @Test
    void default_backoff_doubles_up_to_five_minutes() {
        RetryPolicy policy = EventPolicies.defaults().policyFor("order.paid");
        assertThat(policy.backoff().delay(2)).isEqualTo(Duration.ofSeconds(2));
        assertThat(policy.backoff().delay(10)).isEqualTo(Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @CsvSource({"order.paid.eu, 7", "order.paid.us, 6", "order.sent, 4", "orders, 3"})
    void the_most_specific_pattern_wins_whatever_the_order_of_adding(String name, int attempts) {
        EventPolicies policies = EventPolicies.defaults()
                .with("order.*", Rig.attempts(4))
                .with("order.paid.eu", Rig.attempts(7))
                .with("order.paid.*", Rig.attempts(6));
        assertThat(policies.policyFor(name).maxAttempts()).isEqualTo(attempts);
    }

    @Test
    void with_replaces_the_policy_of_a_pattern_and_leaves_the_old_value_alone() {
        EventPolicies before = EventPolicies.defaults().with("order.*", Rig.attempts(4));
        EventPolicies after = before.with("order.*", Rig.attempts(9));
        assertThat(before.policyFor("order.paid").maxAttempts()).isEqualTo(4);
        assertThat(after.policyFor("order.paid").maxAttempts()).isEqualTo(9);
    }

    @Test
    void all_lists_the_most_specific_pattern_first() {
        assertThat(EventPolicies.defaults().all().keySet())
                .extracting(Object::toString)
                .containsExactly("ui.command.*", "ml.trial.*", "ml.run.*", "system.*", "*");
    }

    @Test
    void policies_replaced_at_run_time_hold_from_the_next_decision_on() {
        Event event = rig.event("order.paid").build();
        Pipeline pipeline = rig.pipeline()
                .on("*", e -> {
                    throw new IOException("down");
                })
                .build();
        pipeline.publish(event);
        pipeline.drain();
        assertThat(rig.letters()).isEmpty();
        pipeline.policies(EventPolicies.defaults().with("order.*", Rig.attempts(2)));
        rig.time.advance(Duration.ofSeconds(1));
        pipeline.drain();
        assertThat(rig.onlyLetter().attempts().failed()).isEqualTo(2);
    }

    @Test
    void settings_of_a_new_pattern_leave_the_rest_as_in_force_for_everything_else() {
        EventPolicies policies = EventPolicies.defaults()
                .with(Map.of(
                        "rate.limited.api.*",
                        Map.of("max-attempts", 5, "backoff", "linear", "initial-delay", "10s", "increment", "10s")));
        RetryPolicy policy = policies.policyFor("rate.limited.api.sync");
        assertThat(policy.maxAttempts()).isEqualTo(5);
        assertThat(policy.backoff().delay(4)).isEqualTo(Duration.ofSeconds(40));
        assertThat(policy.jitter()).isEqualTo(Jitter.factor(0.2));
        assertThat(policies.policyFor("ml.run.started").maxAttempts()).isEqualTo(5);
    }

    @Test
    void a_bad_setting_names_pattern_key_value_and_rule() {
        Map<String, Map<String, Object>> settings = Map.of("order.*", Map.of("max-attempts", 0));
        assertThatThrownBy(() -> EventPolicies.defaults().with(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("order.*", "max-attempts", "at least 1", "0");
    }

    @Test
    void settings_change_only_the_keys_they_name() {
        EventPolicies policies = EventPolicies.defaults()
                .with(Map.of(
                        "ui.command.*", Map.of("max-attempts", 3),
                        "ml.run.gpu.*", Map.of("jitter", "none"),
                        "ml.run.gpu.started", Map.of("max-duration", "1h")));
        assertThat(policies.policyFor("ui.command.save")).hasToString("3 attempts, no backoff, jitter ±20%");
        assertThat(policies.policyFor("ml.run.gpu.lost"))
                .hasToString("5 attempts, exponential 1s ×2, max 5m, no jitter");
        assertThat(policies.policyFor("ml.run.gpu.started"))
                .hasToString("5 attempts, exponential 1s ×2, max 5m, no jitter, within 1h");
        EventPolicies again = policies.with(Map.of("ui.command.*", Map.of("jitter", "full")));
        assertThat(again.policyFor("ui.command.save")).hasToString("3 attempts, no backoff, full jitter");
    }

    @Test
    void wider_patterns_of_one_file_are_in_force_for_narrower_ones() {
        Map<String, Map<String, Object>> settings = new LinkedHashMap<>();
        settings.put("order.paid", Map.of("max-attempts", 9));
        settings.put("order.*", Map.of("preset", "webhook"));
        settings.put("*", Map.of("max-duration", "2h"));
        EventPolicies policies = EventPolicies.defaults().with(settings);
        assertThat(policies.policyFor("order.paid").maxAttempts()).isEqualTo(9);
        assertThat(policies.policyFor("order.paid").backoff()).isEqualTo(Presets.WEBHOOK.backoff());
        assertThat(policies.policyFor("mail.sent").maxDuration()).contains(Duration.ofHours(2));
        assertThat(policies.policyFor("system.up")).hasToString(Presets.EVENTS.toString());
    }

    @Test
    void a_bad_setting_tells_its_key_with_the_pattern() {
        SettingException refused = catchThrowableOfType(
                SettingException.class,
                () -> EventPolicies.defaults().with(Map.of("order.*", Map.of("max-atempts", 3))));
        assertThat(refused.key()).isEqualTo("[order.*].max-atempts");
        assertThat(refused.suggestion()).contains("max-attempts");
    }

    @Test
    void a_bad_pattern_is_the_key_of_the_refusal() {
        SettingException refused = catchThrowableOfType(
                SettingException.class, () -> EventPolicies.defaults().with(Map.of("order..*", Map.of())));
        assertThat(refused.key()).isEqualTo("[order..*]");
    }

    @Test
    void a_bad_wait_for_a_handler_tells_key_and_value() {
        SettingException refused = catchThrowableOfType(
                SettingException.class,
                () -> EventPolicies.defaults().with(Map.of("order.*", Map.of("unhandled-after", "soon"))));
        assertThat(refused.key()).isEqualTo("[order.*].unhandled-after");
        assertThat(refused.value()).isEqualTo("soon");
        assertThat(refused.rule()).startsWith("duration must be a number with a unit");
    }
}

package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedPoliciesTest {

    private final Rig rig = new Rig();
    private final Pipeline one = rig.pipeline().on("*", event -> {}).build();
    private final Pipeline two = rig.pipeline().on("*", event -> {}).build();

    private static int attempts(Pipeline pipeline) {
        return pipeline.policies().policyFor("order.paid").maxAttempts();
    }

    private void nextSecond() {
        rig.time.advance(Duration.ofSeconds(1));
        one.drain();
        two.drain();
    }

    @Test
    void a_shared_policy_holds_on_every_node_and_after_a_restart() {
        one.sharePolicies(Map.of("order.*", Map.of("max-attempts", 7)));
        nextSecond();
        Pipeline restarted = rig.pipeline().on("*", event -> {}).build();
        restarted.step();
        assertThat(List.of(attempts(one), attempts(two), attempts(restarted))).containsOnly(7);
    }

    @Test
    void a_shared_policy_can_be_replaced_and_taken_back() {
        one.sharePolicies(Map.of("order.*", Map.of("max-attempts", 7)));
        two.sharePolicies(Map.of("order.*", Map.of("max-attempts", 8, "initial-delay", "2s")));
        nextSecond();
        assertThat(attempts(one)).isEqualTo(8);
        two.sharePolicies(Map.of("order.*", Map.of()));
        nextSecond();
        assertThat(attempts(one)).isEqualTo(3);
    }

    @Test
    void a_nodes_own_policies_stay_below_the_shared_ones() {
        one.sharePolicies(Map.of("order.*", Map.of("max-attempts", 7)));
        nextSecond();
        one.policies(
                EventPolicies.defaults().with("order.*", RetryPolicy.noRetry()).with("mail.*", RetryPolicy.noRetry()));
        assertThat(attempts(one)).isEqualTo(7);
        assertThat(one.policies().policyFor("mail.sent").maxAttempts()).isEqualTo(1);
    }

    @Test
    void bad_settings_are_refused_and_change_nothing() {
        assertThatThrownBy(() -> one.sharePolicies(
                        Map.of("order.*", Map.of("max-attempts", 7), "mail.*", Map.of("max-attempts", 0))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mail.*")
                .hasMessageContaining("max-attempts");
        assertThat(rig.store.notes().read()).noneMatch(note -> note.topic().equals("policy"));
    }

    @Test
    void shared_settings_change_only_the_keys_they_name() {
        one.policies(
                EventPolicies.defaults().with(Map.of("order.*", Map.of("backoff", "fixed", "initial-delay", "7s"))));
        one.sharePolicies(Map.of("order.*", Map.of("max-attempts", 7)));
        two.sharePolicies(Map.of("order.*", Map.of("jitter", "none")));
        nextSecond();
        assertThat(one.policies().policyFor("order.paid")).hasToString("7 attempts, fixed 7s, no jitter");
        assertThat(two.policies().policyFor("order.paid")).hasToString("7 attempts, fixed 1s, no jitter");
        one.sharePolicies(Map.of("order.*", Map.of("max-attempts", "")));
        nextSecond();
        assertThat(one.policies().policyFor("order.paid")).hasToString("3 attempts, fixed 7s, no jitter");
    }

    @Test
    void a_node_keeps_its_policies_when_shared_settings_break_a_rule_there() {
        one.policies(
                EventPolicies.defaults().with(Map.of("order.*", Map.of("initial-delay", "1m", "max-attempts", 5))));
        two.sharePolicies(Map.of("order.*", Map.of("max-delay", "10s")));
        nextSecond();
        assertThat(attempts(one)).isEqualTo(5);
        assertThat(two.policies().policyFor("order.paid").backoff().max()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void a_value_of_two_lines_is_refused_because_a_note_has_a_line_for_each_setting() {
        assertThatThrownBy(() -> one.sharePolicies(Map.of("order.*", Map.of("retry-on-kind", "timeout\nno setting"))))
                .hasMessageContaining("[order.*].retry-on-kind: must be one line");
        nextSecond();
        assertThat(attempts(one)).isEqualTo(3);
    }

    @Test
    void own_policies_do_not_have_the_shared_changes() {
        one.sharePolicies(Map.of("order.*", Map.of("max-attempts", 7)));
        nextSecond();
        assertThat(one.ownPolicies().policyFor("order.paid").maxAttempts()).isEqualTo(3);
        assertThat(attempts(one)).isEqualTo(7);
    }
}

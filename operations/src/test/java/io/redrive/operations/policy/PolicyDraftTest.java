package io.redrive.operations.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.SettingException;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.NamePattern;
import io.redrive.pipeline.EventPolicies;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyDraftTest {

    private static final NamePattern ORDERS = new NamePattern("order.*");
    private static final EventPolicies OWN = EventPolicies.defaults().with(Map.of("mail.*", Map.of("max-attempts", 4)));

    @Test
    void a_draft_leaves_the_shared_settings_that_saving_leaves() {
        InMemoryEventStore store = new InMemoryEventStore();
        EventPolicies.share(Map.of("order.*", Map.of("max-attempts", "5", "jitter", "none")), store.notes());
        Map<String, String> change = Map.of("max-attempts", "7", "jitter", "", "initial-delay", "2s");
        PolicyDraft draft = PolicyDraft.of(ORDERS, change, OWN, EventPolicies.shared(store.notes()));
        EventPolicies.share(Map.of("order.*", change), store.notes());

        assertThat(EventPolicies.shared(store.notes()).get("order.*"))
                .isEqualTo(draft.sharedAfter())
                .isEqualTo(Map.of("max-attempts", "7", "initial-delay", "2s"));
        assertThat(draft.sharedBefore()).isEqualTo(Map.of("max-attempts", "5", "jitter", "none"));
        assertThat(draft.policyBefore().maxAttempts()).isEqualTo(5);
        assertThat(draft.policyAfter().maxAttempts()).isEqualTo(7);
    }

    @Test
    void an_empty_change_removes_the_pattern_and_its_names_fall_to_the_next_wider_one() {
        Map<String, Map<String, String>> shared = Map.of("order.*", Map.of("max-attempts", "5"));
        PolicyDraft draft = PolicyDraft.of(ORDERS, Map.of(), OWN, shared);
        assertThat(draft.sharedAfter()).isEmpty();
        assertThat(draft.policyAfter().maxAttempts()).isEqualTo(3);
        assertThat(draft.concerns("order.paid")).isTrue();
        assertThat(draft.concerns("mail.sent")).isFalse();
        assertThat(draft.isEmpty()).isFalse();
    }

    @Test
    void a_change_of_a_wide_pattern_concerns_narrow_patterns_that_take_values_from_it() {
        Map<String, Map<String, String>> shared = Map.of("order.*", Map.of("jitter", "none"));
        PolicyDraft draft = PolicyDraft.of(new NamePattern("*"), Map.of("max-attempts", "9"), OWN, shared);
        assertThat(draft.concerns("order.paid")).as("order.* names no attempts").isTrue();
        assertThat(draft.concerns("mail.sent"))
                .as("mail.* has attempts of its own")
                .isFalse();
        assertThat(draft.concerns("tax.due")).isTrue();
    }

    @Test
    void a_value_that_breaks_a_rule_with_the_nodes_own_settings_is_refused() {
        EventPolicies slow = EventPolicies.defaults().with(Map.of("order.*", Map.of("initial-delay", "30s")));
        assertThatThrownBy(() -> PolicyDraft.of(ORDERS, Map.of("max-delay", "5s"), slow, Map.of()))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("must be at least the initial delay");
    }

    @Test
    void a_policy_in_force_tells_its_origin() {
        var all = PolicyInForce.all(OWN, Map.of("order.*", Map.of("max-attempts", "5")));
        assertThat(all)
                .extracting(policy -> policy.pattern() + " " + policy.origin())
                .contains("order.* SHARED", "mail.* NODE", "* DEFAULT", "ml.run.* DEFAULT");
        assertThat(all.get(all.size() - 1).pattern().text()).isEqualTo("*");
    }

    @Test
    void a_file_that_names_the_values_of_the_default_is_still_the_origin() {
        var all = PolicyInForce.all(EventPolicies.defaults().with(Map.of("*", Map.of("max-attempts", 3))), Map.of());
        assertThat(all.get(all.size() - 1).origin()).isEqualTo(PolicyInForce.Origin.NODE);
    }
}

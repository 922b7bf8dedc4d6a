package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.InMemoryEventStore;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Groups above a store of one machine. */
final class SoleMemberTest {

    private Set<String> members = Set.of();
    private final FlowSettings settings = TestSettings.with(RecordMapping.standard());
    private final SoleMember member = new SoleMember(settings, new InMemoryEventStore(), () -> members);

    @Test
    void a_newcomer_joins_no_group_that_has_a_member() {
        assertThatCode(member::requireEmptyGroup).doesNotThrowAnyException();
        members = Set.of("a");
        assertThatThrownBy(member::requireEmptyGroup)
                .isInstanceOf(SecondMemberException.class)
                .hasMessageContaining("group billing must have one member above")
                .hasMessageContaining("got 2")
                .hasMessageContaining("use PostgreSQL");
    }

    @Test
    void of_two_members_that_joined_at_the_same_time_exactly_one_stays() {
        members = Set.of("a", "b");
        assertThat(member.isAlone(() -> "a"))
                .as("waits for the other one to leave")
                .isFalse();
        assertThatThrownBy(() -> member.isAlone(() -> "b")).isInstanceOf(SecondMemberException.class);
        members = Set.of("a");
        assertThat(member.isAlone(() -> "a")).isTrue();
    }

    @Test
    void the_group_is_asked_again_after_a_rebalance() {
        members = Set.of("a");
        assertThat(member.isAlone(() -> "a")).isTrue();
        members = Set.of("a", "b");
        assertThat(member.isAlone(() -> "a")).isTrue();
        member.rebalanced();
        assertThat(member.isAlone(() -> "a")).isFalse();
    }

    @Test
    void a_store_of_many_machines_has_any_number_of_members() {
        members = Set.of("a", "b");
        SoleMember shared = new SoleMember(settings, FlowRig.shared(), () -> members);
        assertThatCode(shared::requireEmptyGroup).doesNotThrowAnyException();
        assertThat(shared.isAlone(() -> "b")).isTrue();
    }
}

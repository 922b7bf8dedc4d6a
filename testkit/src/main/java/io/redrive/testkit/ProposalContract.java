package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Proposals;
import io.redrive.events.Proposals.StoredProposal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Proposals: numbers, compare and set, limits, and no lost decision. */
interface ProposalContract extends StoreUnderTest {

    @Test
    default void a_proposal_is_read_by_every_node_as_it_was_added() {
        StoreDriver on = open();
        StoredProposal added = added(on.store().proposals(), "{\"why\": \"ü\\n\"}");
        assertThat(added.open()).isTrue();
        assertThat(added.number()).isPositive();
        Proposals elsewhere = joined(on).proposals();
        assertThat(elsewhere.find(added.number())).contains(added);
        assertThat(elsewhere.newest(true, Long.MAX_VALUE, 10)).containsExactly(added);
        assertThat(elsewhere.find(added.number() + 1)).isEmpty();
    }

    @Test
    default void a_proposal_written_over_another_version_changes_nothing() {
        Proposals proposals = open().store().proposals();
        StoredProposal first = added(proposals, "1");
        assertThat(proposals.write(first.with(true, "2"))).isTrue();
        assertThat(proposals.write(first.with(false, "3"))).as("stale").isFalse();
        StoredProposal second = proposals.find(first.number()).orElseThrow();
        assertThat(second.content()).isEqualTo("2");
        assertThat(second.open()).isTrue();
        assertThat(proposals.write(second.with(false, "4"))).isTrue();
        assertThat(proposals.find(first.number()).orElseThrow().open()).isFalse();
        assertThat(proposals.write(new StoredProposal(first.number() + 1, true, "5", 1)))
                .as("unknown number")
                .isFalse();
    }

    @Test
    default void proposals_come_newest_first_page_by_page() {
        Proposals proposals = open().store().proposals();
        List<StoredProposal> all =
                List.of(added(proposals, "a"), added(proposals, "b"), added(proposals, "c"), added(proposals, "d"));
        assertThat(proposals.write(all.get(2).with(false, "c"))).isTrue();
        assertThat(contents(proposals.newest(false, Long.MAX_VALUE, 3))).containsExactly("d", "c", "b");
        assertThat(contents(proposals.newest(false, all.get(1).number(), 3))).containsExactly("a");
        assertThat(contents(proposals.newest(true, Long.MAX_VALUE, 3))).containsExactly("d", "b", "a");
        assertThat(contents(proposals.newest(true, all.get(3).number(), 1))).containsExactly("b");
    }

    @Test
    default void proposals_beyond_the_open_limit_are_refused_until_one_is_closed() {
        Proposals proposals = open().store().proposals();
        StoredProposal first = added(proposals, "first");
        for (int i = 1; i < Proposals.MAX_OPEN; i++) {
            added(proposals, "p" + i);
        }
        assertThat(proposals.add("one more")).isEmpty();
        assertThat(contents(proposals.newest(true, Long.MAX_VALUE, Proposals.MAX_PAGE)))
                .hasSize(Proposals.MAX_OPEN)
                .doesNotContain("one more");
        proposals.write(first.with(false, "first"));
        assertThat(proposals.add("one more")).isPresent();
    }

    @Test
    default void the_oldest_closed_proposals_make_room_and_open_ones_stay() {
        Proposals proposals = open().store().proposals();
        StoredProposal open = added(proposals, "open");
        StoredProposal closed = added(proposals, "closed");
        proposals.write(closed.with(false, "closed"));
        for (int i = 2; i < Proposals.MAX_KEPT; i++) {
            StoredProposal further = added(proposals, "p");
            proposals.write(further.with(false, "p"));
        }
        added(proposals, "beyond");
        assertThat(proposals.find(closed.number()))
                .as("the oldest, which is open, stays")
                .isPresent();
        added(proposals, "further beyond");
        assertThat(proposals.find(closed.number())).isEmpty();
        assertThat(proposals.find(open.number())).isPresent();
    }

    @Test
    default void of_many_who_decide_over_one_version_one_succeeds() {
        StoreDriver on = open();
        StoredProposal proposal = added(on.store().proposals(), "open");
        List<String> winners = Together.run(4, thread -> {
            String decision = "decided by " + thread;
            return joined(on).proposals().write(proposal.with(false, decision)) ? decision : "";
        });
        winners.removeIf(String::isEmpty);
        assertThat(winners).hasSize(1);
        assertThat(on.store().proposals().find(proposal.number()).orElseThrow().content())
                .isEqualTo(winners.get(0));
    }

    @Test
    default void proposals_survive_a_crash() {
        StoreDriver on = open();
        StoredProposal added = added(on.store().proposals(), "kept");
        assertThat(reopened(on).proposals().find(added.number())).contains(added);
    }

    @Test
    default void a_proposal_that_no_store_can_keep_is_refused() {
        Proposals proposals = open().store().proposals();
        assertThatThrownBy(() -> proposals.add("x".repeat(Proposals.MAX_CONTENT + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most " + Proposals.MAX_CONTENT);
        assertThatThrownBy(() -> proposals.add("a\0b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> proposals.newest(true, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> proposals.newest(true, 1, Proposals.MAX_PAGE + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(proposals.newest(false, Long.MAX_VALUE, 10)).isEmpty();
    }

    private static StoredProposal added(Proposals proposals, String content) {
        return proposals.add(content).orElseThrow();
    }

    private static List<String> contents(List<StoredProposal> proposals) {
        return proposals.stream().map(StoredProposal::content).toList();
    }
}

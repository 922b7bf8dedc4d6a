package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.Settlement;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.Journal;
import io.redrive.testkit.FaultyStore.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Faults of the journal: whichever call fails, and whenever a process dies, each finished event is remembered once. */
interface JournalFaultContract extends StoreUnderTest {

    @Test
    default void any_call_with_a_journal_may_fail_before_it_took_effect() {
        assertThat(FaultStory.failEachCall(this::open, on -> new FinishedChain(), Moment.BEFORE))
                .isGreaterThan(10);
    }

    @Test
    default void any_call_with_a_journal_may_fail_after_it_took_effect() {
        assertThat(FaultStory.failEachCall(this::open, on -> new FinishedChain(), Moment.AFTER))
                .isGreaterThan(10);
    }

    @Test
    default void after_a_crash_behind_any_call_each_finished_event_is_remembered_once() {
        assertThat(FaultStory.crashAfterEachCall(this::open, on -> new FinishedChain(), this))
                .isGreaterThan(10);
    }

    /** Four events of a chain finish: one at once, one after a retry, one after its letter was redriven, one behind another. */
    final class FinishedChain implements FaultStory {

        private static final Duration STEP = Duration.ofMinutes(1);
        private static final int ROUNDS = 5;

        @Override
        public void run(StoreDriver on, Caller caller) {
            caller.call(() -> on.publish(
                    on.event("plain").correlationId("chain"),
                    on.event("retried").correlationId("chain"),
                    on.event("redriven").correlationId("chain").orderingKey("k"),
                    on.event("behind").correlationId("chain").orderingKey("k")));
            for (int round = 0; round < ROUNDS; round++) {
                caller.call(() -> on.store().recover(on.time().now()));
                List<Settlement> settlements = new ArrayList<>();
                for (Claim claim : caller.call(on::claim)) {
                    settlements.add(handled(on, claim));
                }
                caller.call(() -> on.store().settle(settlements, on.time().now()));
                caller.call(() -> on.redrive(LetterFilter.ALL));
                caller.call(() -> on.store().expire(on.time().now()));
                on.pass(STEP);
            }
        }

        private static Settlement handled(StoreDriver on, Claim claim) {
            if (claim.event().id().equals("retried") && claim.attempts().failed() == 0) {
                return on.retryOf(claim, Duration.ofSeconds(1));
            }
            if (claim.event().id().equals("redriven") && claim.redrives() == 0) {
                return on.deadOf(claim);
            }
            return new Settlement.Done(claim);
        }

        @Override
        public void assertEnded(StoreDriver on) {
            Journal journal = on.store().journal();
            List<FinishedEvent> chain = journal.find(EventQuery.correlationId("chain"), DeadLetters.MAX_PAGE);
            assertThat(chain)
                    .extracting(FinishedEvent::id)
                    .containsExactlyInAnyOrder("plain", "retried", "redriven", "behind");
            chain.forEach(event -> assertThat(journal.failures(event))
                    .as(event.id())
                    .hasSize(List.of("retried", "redriven").contains(event.id()) ? 1 : 0));
            assertThat(on.letters().count(LetterFilter.ALL)).isZero();
        }
    }
}

package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Causes;
import io.redrive.events.Claim;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.events.Settlement;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseChange;
import io.redrive.events.cause.CauseStatus;
import io.redrive.testkit.FaultyStore.Moment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Faults of causes: whichever call fails, and whenever a process dies, each letter and each command counts once. */
interface CauseFaultContract extends StoreUnderTest {

    @Test
    default void any_call_on_causes_may_fail_before_it_took_effect() {
        assertThat(FaultStory.failEachCall(this::open, on -> new CareForCauses(), Moment.BEFORE))
                .isGreaterThan(10);
    }

    @Test
    default void any_call_on_causes_may_fail_after_it_took_effect() {
        assertThat(FaultStory.failEachCall(this::open, on -> new CareForCauses(), Moment.AFTER))
                .isGreaterThan(10);
    }

    @Test
    default void after_a_crash_behind_any_call_on_causes_the_care_goes_on() {
        assertThat(FaultStory.crashAfterEachCall(this::open, on -> new CareForCauses(), this))
                .isGreaterThan(10);
    }

    /** Six events die of three causes; one cause gets an owner, a note and an end, and takes the letters of another. */
    final class CareForCauses implements FaultStory {

        private static final int EVENTS = 6;
        private static final List<CauseChange> CHANGES = List.of(
                new CauseChange.Assign("bob"),
                new CauseChange.Annotate("the disk was full"),
                new CauseChange.Resolve(Optional.empty()));

        private final List<OperatorCommand> commands =
                CHANGES.stream().map(change -> OperatorCommand.by("ann")).toList();
        private final OperatorCommand merge = OperatorCommand.by("ann");

        @Override
        public void run(StoreDriver on, Caller caller) {
            caller.call(() -> on.publish("e0", "e1", "e2", "e3", "e4", "e5"));
            // A claim whose answer was lost comes back when its lease has expired.
            for (int round = 0; round < 2; round++) {
                List<Claim> claims = caller.call(on::claim);
                claims.forEach(claim -> caller.call(() -> on.settle(dead(on, claim))));
                on.pass(StoreDriver.LEASE);
                caller.call(() -> on.store().recover(on.time().now()));
            }
            Causes causes = on.letters().causes();
            for (int i = 0; i < CHANGES.size(); i++) {
                int step = i;
                caller.call(() -> causes.change(
                        "cause-0",
                        CHANGES.get(step),
                        commands.get(step),
                        on.time().now()));
            }
            for (int moved = 1; moved > 0; ) {
                moved = caller.call(() ->
                        causes.merge("cause-1", "cause-0", 1, merge, on.time().now()));
            }
        }

        private static Settlement dead(StoreDriver on, Claim claim) {
            String cause = "cause-" + Integer.parseInt(claim.event().id().substring(1)) % 3;
            return new Settlement.Dead(
                    claim, Reason.NOT_RETRYABLE, on.attempt(claim, "IOException", "full", "dead"), cause, "shop");
        }

        @Override
        public void assertEnded(StoreDriver on) {
            Causes causes = on.letters().causes();
            Cause cared = causes.find("cause-0").orElseThrow();
            assertThat(cared.seen()).as("sightings of both causes").isEqualTo(4);
            assertThat(cared.care().owner()).isEqualTo("bob");
            assertThat(cared.care().note()).isEqualTo("the disk was full");
            assertThat(cared.status(on.time().now())).isEqualTo(CauseStatus.RESOLVED);
            assertThat(causes.find("cause-1").orElseThrow().mergedInto()).contains("cause-0");
            assertThat(causes.find("cause-2").orElseThrow().seen()).isEqualTo(2);
            assertThat(on.letters().countByCause(List.of("cause-0", "cause-1", "cause-2")))
                    .containsOnly(Map.entry("cause-0", 4L), Map.entry("cause-2", 2L));
            assertThat(on.letters().count(LetterFilter.ALL)).isEqualTo(EVENTS);
            assertThat(on.letters().actions(100))
                    .as("one row for each command")
                    .extracting(OperatorAction::action)
                    .containsExactlyInAnyOrder("assign", "note", "resolve", "merge");
        }
    }
}

package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.OperatorAction;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveCounts;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.RedriveTurn;
import io.redrive.events.Settlement;
import io.redrive.testkit.FaultyStore.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Faults of redrive operations: whichever call fails, and whenever a process dies, each letter is redriven once. */
interface RedriveFaultContract extends StoreUnderTest {

    int LETTERS = 14;

    @Test
    default void any_call_may_fail_before_it_took_effect() {
        assertThat(FaultStory.failEachCall(this::withLetters, on -> new Canary(), Moment.BEFORE))
                .isGreaterThan(10);
    }

    @Test
    default void any_call_may_fail_after_it_took_effect() {
        assertThat(FaultStory.failEachCall(this::withLetters, on -> new Canary(), Moment.AFTER))
                .isGreaterThan(10);
    }

    @Test
    default void after_a_crash_behind_any_call_another_process_carries_on() {
        assertThat(FaultStory.crashAfterEachCall(this::withLetters, on -> new Canary(), this))
                .isGreaterThan(10);
    }

    @Test
    default void two_nodes_at_once_send_each_letter_once() {
        StoreDriver on = open();
        RedriveDriver driver = new RedriveDriver(on);
        int letters = 2_000;
        driver.letters(letters);
        String id = driver.start(RedrivePlan.ALL_AT_ONCE);
        List<Integer> sent = Together.run(4, thread -> {
            EventStore mine = joined(on);
            int sum = 0;
            while (new RedriveDriver(on.on(mine)).operation(id).counts().pending() > 0) {
                RedriveTurn turn =
                        mine.redrives().turn("node-" + thread, on.time().now());
                sum += turn instanceof RedriveTurn.Taken taken ? taken.sent() : 0;
            }
            return sum;
        });
        assertThat(sent.stream().mapToInt(Integer::intValue).sum()).isEqualTo(letters);
        assertThat(on.all()).isEmpty();
        assertThat(on.stats().ready()).isEqualTo(letters);
        assertThat(driver.operation(id).counts()).isEqualTo(new RedriveCounts(letters, letters, 0, 0, 0));
    }

    @Test
    default void a_clock_that_jumps_between_turns_loses_nothing() {
        for (Duration jump : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
            StoreDriver on = withLetters();
            RedriveOrder order = RedriveOrder.ofAllLetters(RedrivePlan.ALL_AT_ONCE.withPerSecond(2), "ann");
            RedriveDriver driver = new RedriveDriver(on);
            driver.redrives().preview(order, on.time().now());
            driver.change(order.id(), RedriveChange.START);
            driver.turns();
            on.time().jump(jump);
            driver.turnsWhile(order.id(), operation -> operation.counts().pending() > 0);
            // Events sent before the clock was set back are due by the fast clock.
            on.pass(Duration.ofHours(1));
            driver.handle();
            driver.nextSecond(order.id());
            assertOnce(on, order);
        }
    }

    private StoreDriver withLetters() {
        StoreDriver on = open();
        new RedriveDriver(on).letters(LETTERS);
        return on;
    }

    /** Previews, starts and turns an operation until it has ended, and handles its events. */
    final class Canary implements FaultStory {

        private final RedriveOrder order = RedriveOrder.ofAllLetters(RedrivePlan.CANARY, "ann");

        @Override
        public void run(StoreDriver on, Caller caller) {
            RedriveDriver driver = new RedriveDriver(on);
            RedriveOperation operation =
                    caller.call(() -> driver.redrives().select(order, on.time().now()));
            if (operation.state() instanceof RedriveState.Previewed) {
                operation = caller.call(() -> driver.change(order.id(), RedriveChange.START));
            }
            for (int i = 0; i < MAX_CALLS && !operation.state().isEnded(); i++) {
                while (caller.call(driver::turn) instanceof RedriveTurn.Taken taken) {
                    assertThat(taken.operation().id()).isEqualTo(order.id());
                }
                List<Claim> claims = caller.call(on::claim);
                claims.forEach(claim -> caller.call(() -> on.settle(new Settlement.Done(claim))));
                on.pass(StoreDriver.LEASE);
                caller.call(() -> on.store().recover(on.time().now()));
                Optional<RedriveOperation> found =
                        caller.call(() -> driver.redrives().find(order.id()));
                operation = found.orElseThrow();
            }
        }

        @Override
        public void assertEnded(StoreDriver on) {
            assertOnce(on, order);
        }
    }

    private static void assertOnce(StoreDriver on, RedriveOrder order) {
        RedriveOperation operation = new RedriveDriver(on).operation(order.id());
        assertThat(operation.state()).isEqualTo(new RedriveState.Finished());
        assertThat(operation.counts()).isEqualTo(new RedriveCounts(LETTERS, LETTERS, LETTERS, 0, 0));
        assertThat(on.all()).extracting(DeadLetter::id).isEmpty();
        assertThat(on.claimEverything()).isEmpty();
        assertThat(on.letters().actions(10))
                .singleElement()
                .satisfies(row ->
                        assertThat(row).extracting(OperatorAction::letters).isEqualTo((long) LETTERS));
    }
}

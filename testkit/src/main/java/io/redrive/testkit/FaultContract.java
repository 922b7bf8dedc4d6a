package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.testkit.FaultyStore.Moment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Faults: whichever call fails, and whenever a process dies, no event is lost and no event is settled twice. */
interface FaultContract extends StoreUnderTest {

    /** More calls than the scenario makes; ends a scenario that would run for ever. */
    int MAX_CALLS = 1_000;

    @Test
    default void an_undisturbed_day_ends_with_everything_done() {
        StoreDriver on = open();
        StoreLedger ledger = new StoreLedger(on.store());
        StoreScenario day = StoreScenario.patient(on).on(ledger);
        day.run();
        day.assertFinished(ledger);
    }

    @Test
    default void any_call_may_fail_before_it_took_effect_and_be_repeated() {
        assertThat(failEachCall(Moment.BEFORE)).isGreaterThan(10);
    }

    @Test
    default void any_call_may_fail_after_it_took_effect_and_be_repeated() {
        assertThat(failEachCall(Moment.AFTER)).isGreaterThan(10);
    }

    @Test
    default void a_crash_after_any_call_loses_nothing() {
        int crashes = 0;
        for (int call = 1; call < MAX_CALLS; call++) {
            StoreDriver on = open();
            StoreLedger ledger = new StoreLedger(on.store());
            StoreScenario day = StoreScenario.patient(on);
            FaultyStore faulty = FaultyStore.failing(ledger, call, Moment.AFTER);
            StoreScenario cut = day.impatient().on(faulty);
            if (hasCrashed(cut)) {
                crashes++;
                StoreLedger after = ledger.carriedOverTo(reopened(on));
                StoreScenario rest = day.on(after);
                rest.run();
                rest.assertFinished(after);
            } else {
                assertThat(faulty.hasFailed()).isFalse();
                assertThat(crashes).isGreaterThan(10);
                return;
            }
        }
        throw new AssertionError("the scenario makes more than " + MAX_CALLS + " calls");
    }

    @Test
    default void a_clock_that_jumps_ahead_before_any_call_loses_nothing() {
        jumpBeforeEachCall(Duration.ofHours(1));
    }

    @Test
    default void a_clock_that_jumps_back_before_any_call_loses_nothing() {
        jumpBeforeEachCall(Duration.ofHours(-1));
    }

    @Test
    default void a_faulty_store_fails_the_named_call_only() {
        StoreDriver on = open();
        StoreDriver faulty = on.on(FaultyStore.failing(on.store(), 2, Moment.AFTER));
        faulty.publish("a");
        assertThatThrownBy(() -> faulty.publish("b"))
                .isInstanceOf(FaultyStore.Fault.class)
                .hasMessage("injected: store call 2 (publish) failed after it took effect");
        assertThat(faulty.claim()).hasSize(2);
    }

    /** Returns the number of runs with a failing call. */
    private int failEachCall(Moment moment) {
        for (int call = 1; call < MAX_CALLS; call++) {
            StoreDriver on = open();
            StoreLedger ledger = new StoreLedger(on.store());
            FaultyStore faulty = FaultyStore.failing(ledger, call, moment);
            StoreScenario day = StoreScenario.patient(on);
            day.on(faulty).run();
            day.assertFinished(ledger);
            if (!faulty.hasFailed()) {
                return call - 1;
            }
        }
        throw new AssertionError("the scenario makes more than " + MAX_CALLS + " calls");
    }

    private void jumpBeforeEachCall(Duration jump) {
        int calls = MAX_CALLS;
        for (int call = 1; call <= calls; call++) {
            StoreDriver on = open();
            StoreLedger ledger = new StoreLedger(on.store());
            int jumping = call;
            AtomicInteger made = new AtomicInteger();
            StoreScenario day = StoreScenario.patient(on).on(ledger).disturbedBy(() -> {
                if (made.incrementAndGet() == jumping) {
                    on.time().jump(jump);
                }
            });
            day.run();
            day.assertFinished(ledger);
            calls = Math.min(calls, made.get());
        }
    }

    private static boolean hasCrashed(StoreScenario cut) {
        try {
            cut.run();
            return false;
        } catch (FaultyStore.Fault crash) {
            return true;
        }
    }
}

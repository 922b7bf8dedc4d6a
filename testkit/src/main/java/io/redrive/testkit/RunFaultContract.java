package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.store.Balance;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import io.redrive.testkit.FaultyStore.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Faults: whichever call fails, and whenever a process dies, the output equals the output of an undisturbed run. */
interface RunFaultContract extends RunStoreUnderTest {

    /** More calls than the scenario makes; ends a scenario that would run for ever. */
    int MAX_CALLS = 1_000;

    @Test
    default void an_undisturbed_run_accounts_for_every_sample() {
        RunDriver on = open();
        RunScenario scenario = new RunScenario(on.time(), on.dir());
        RunScenario.Process process = scenario.process(on.store());
        process.run();
        assertThat(on.run().balance()).isEqualTo(new Balance(13, 8, 2, 3, 0, 0));
        assertThat(on.run().status()).isEqualTo(RunStatus.PARTIAL_SUCCESS);
        assertThat(RunScenario.lines(process.output(), Long.MAX_VALUE))
                .hasSize(8)
                .doesNotHaveDuplicates();
    }

    @Test
    default void any_call_may_fail_before_it_took_effect() {
        assertThat(failEachCall(Moment.BEFORE)).isGreaterThan(20);
    }

    @Test
    default void any_call_may_fail_after_it_took_effect() {
        assertThat(failEachCall(Moment.AFTER)).isGreaterThan(20);
    }

    @Test
    default void a_crash_before_any_call_leaves_the_same_output() {
        assertThat(crashAtEachCall(Moment.BEFORE)).isGreaterThan(20);
    }

    @Test
    default void a_crash_after_any_call_leaves_the_same_output() {
        assertThat(crashAtEachCall(Moment.AFTER)).isGreaterThan(20);
    }

    @Test
    default void a_crash_before_any_call_leaves_an_ordered_output_the_same_to_the_byte() {
        byte[] expected = orderedOutput();
        int crashes = crashUntilUndisturbed(
                expected,
                (scenario, store, call) -> scenario.process(FaultyRunStore.failing(store, call, Moment.BEFORE)));
        assertThat(crashes).isGreaterThan(20);
    }

    @Test
    default void a_crash_in_the_middle_of_any_write_leaves_an_ordered_output_the_same_to_the_byte() {
        byte[] expected = orderedOutput();
        int crashes = crashUntilUndisturbed(expected, RunScenario::processThatTears);
        assertThat(crashes).isGreaterThan(2);
    }

    @Test
    default void when_one_of_two_processes_dies_at_any_call_the_other_finishes() {
        Expected expected = expected();
        for (int call = 1; call < MAX_CALLS; call++) {
            RunDriver on = open();
            RunScenario scenario = new RunScenario(on.time(), on.dir());
            FaultyRunStore faulty = FaultyRunStore.failing(on.store(), call, Moment.AFTER);
            RunScenario.Process mortal = scenario.process(faulty, "mortal");
            RunScenario.Process other = scenario.process(on.store(), "other");
            boolean died = stepTogether(mortal, other, on);
            other.run();
            List<String> output = new ArrayList<>(committedLines(on, mortal));
            output.addAll(committedLines(on, other));
            assertThat(output).as("call " + call).containsExactlyInAnyOrderElementsOf(expected.lines());
            assertThat(on.run().balance()).isEqualTo(expected.balance());
            if (!died) {
                assertThat(call).isGreaterThan(10);
                return;
            }
        }
        throw new AssertionError("the scenario makes more than " + MAX_CALLS + " calls");
    }

    @Test
    default void a_process_that_was_taken_for_dead_joins_again() {
        Expected expected = expected();
        RunDriver on = open();
        RunScenario scenario = new RunScenario(on.time(), on.dir());
        RunScenario.Process sleeper = scenario.process(on.store(), "sleeper");
        RunScenario.Process other = scenario.process(on.store(), "other");
        for (int i = 0; i < 6; i++) {
            sleeper.step();
        }
        on.time().advance(RunDriver.LEASE.plusSeconds(1));
        other.step();
        stepTogether(sleeper, other, on);
        List<String> output = new ArrayList<>(committedLines(on, sleeper));
        output.addAll(committedLines(on, other));
        assertThat(output).containsExactlyInAnyOrderElementsOf(expected.lines());
        assertThat(on.run().balance()).isEqualTo(expected.balance());
        assertThat(RunScenario.lines(sleeper.output(), Long.MAX_VALUE)).isEqualTo(committedLines(on, sleeper));
    }

    /** The result of an undisturbed run. */
    record Expected(List<String> lines, Balance balance) {}

    private Expected expected() {
        RunDriver on = open();
        RunScenario.Process process = new RunScenario(on.time(), on.dir()).process(on.store());
        process.run();
        return new Expected(
                RunScenario.lines(process.output(), Long.MAX_VALUE), on.run().balance());
    }

    /** Returns the number of runs with a failing call. */
    private int failEachCall(Moment moment) {
        Expected expected = expected();
        for (int call = 1; call < MAX_CALLS; call++) {
            RunDriver on = open();
            FaultyRunStore faulty = FaultyRunStore.failing(on.store(), call, moment);
            RunScenario.Process process = new RunScenario(on.time(), on.dir()).process(faulty);
            process.runPatiently();
            check(on, process, expected, "call " + call);
            if (!faulty.hasFailed()) {
                return call - 1;
            }
        }
        throw new AssertionError("the scenario makes more than " + MAX_CALLS + " calls");
    }

    /** Returns the number of crashed runs. */
    private int crashAtEachCall(Moment moment) {
        Expected expected = expected();
        for (int call = 1; call < MAX_CALLS; call++) {
            RunDriver on = open();
            RunScenario scenario = new RunScenario(on.time(), on.dir());
            FaultyRunStore faulty = FaultyRunStore.failing(on.store(), call, moment);
            RunScenario.Process process = scenario.process(faulty);
            if (!hasCrashed(process)) {
                return call - 1;
            }
            process.die();
            on.pass(RunDriver.LEASE.plusSeconds(1));
            RunDriver after = reopened(on);
            Set<String> done = stagesDone(after);
            scenario.calls().clear();
            RunScenario.Process resumed = scenario.process(after.store());
            resumed.run();
            check(after, resumed, expected, "crash at call " + call);
            done.retainAll(scenario.calls());
            assertThat(done)
                    .as("stages repeated that were done before the crash")
                    .isEmpty();
        }
        throw new AssertionError("the scenario makes more than " + MAX_CALLS + " calls");
    }

    private byte[] orderedOutput() {
        RunDriver on = open();
        RunScenario.Process process = RunScenario.ordered(on).process(on.store());
        process.run();
        return RunScenario.bytes(process.output());
    }

    /** A process that dies at its n-th act of a kind. */
    interface Mortal {
        RunScenario.Process process(RunScenario scenario, RunStore store, int act);
    }

    /**
     * Lets a process die at its first act, at its second and so on, and a second process finish. Returns the number of
     * deaths.
     */
    private int crashUntilUndisturbed(byte[] expected, Mortal mortal) {
        for (int act = 1; act < MAX_CALLS; act++) {
            RunDriver on = open();
            RunScenario scenario = RunScenario.ordered(on);
            RunScenario.Process process = mortal.process(scenario, on.store(), act);
            if (!hasCrashed(process)) {
                assertThat(RunScenario.bytes(process.output())).isEqualTo(expected);
                return act - 1;
            }
            process.die();
            on.pass(RunDriver.LEASE.plusSeconds(1));
            RunScenario.Process resumed = scenario.process(reopened(on).store());
            resumed.run();
            assertThat(RunScenario.bytes(resumed.output()))
                    .as("output after a crash at act " + act)
                    .isEqualTo(expected);
        }
        throw new AssertionError("the scenario has more than " + MAX_CALLS + " acts");
    }

    private static void check(RunDriver on, RunScenario.Process process, Expected expected, String when) {
        assertThat(RunScenario.lines(process.output(), Long.MAX_VALUE)).as(when).isEqualTo(expected.lines());
        assertThat(on.run().balance()).as(when).isEqualTo(expected.balance());
    }

    private static boolean hasCrashed(RunScenario.Process process) {
        try {
            process.run();
            return false;
        } catch (FaultyStore.Fault | RunScenario.Killed crash) {
            return true;
        }
    }

    /**
     * Steps both processes until both have ended or the first dies, whose lease then expires. Returns true when it
     * died.
     */
    private static boolean stepTogether(RunScenario.Process mortal, RunScenario.Process other, RunDriver on) {
        for (int i = 0; i < 10_000 && !(mortal.isOver() && other.isOver()); i++) {
            boolean moved;
            try {
                moved = mortal.step();
            } catch (FaultyStore.Fault crash) {
                mortal.die();
                on.pass(RunDriver.LEASE.plusSeconds(1));
                return true;
            }
            moved |= other.step();
            if (!moved) {
                on.pass(Duration.ofMillis(100));
            }
        }
        return false;
    }

    private static List<String> committedLines(RunDriver on, RunScenario.Process process) {
        Optional<String> position = on.store().sinkPosition("run-1", process.sinkName());
        return position.isEmpty() ? List.of() : RunScenario.lines(process.output(), Long.parseLong(position.get()));
    }

    /** The stages with stored results, as {@code stage/ordinal}; for ended samples, all stages. */
    private static Set<String> stagesDone(RunDriver on) {
        Set<String> done = new HashSet<>();
        List<String> names = List.of("flaky", "keep", "label");
        RunStore store = on.store();
        for (long ordinal = 0; ordinal < 13; ordinal++) {
            Optional<SampleRecord> sample = store.archive().sample("run-1", ordinal);
            if (sample.isPresent()) {
                int stages = sample.get().state().isFinal() ? 3 : sample.get().stage();
                for (int stage = 0; stage < stages; stage++) {
                    done.add(names.get(stage) + "/" + ordinal);
                }
            }
        }
        return done;
    }
}

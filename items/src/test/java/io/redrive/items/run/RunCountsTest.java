package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.FailureBudget;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.Totals;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The checks of the failure budget. */
final class RunCountsTest {

    private final RunCounts counts = new RunCounts("run-1", FailureBudget.STANDARD, 0);

    @Test
    void the_budget_is_checked_also_when_other_processes_fill_the_thousand() {
        counts.stored(totals(0, 0));
        counts.ended(SampleState.DEAD);
        counts.stored(totals(700, 299));

        assertThat(counts.halt())
                .isInstanceOfSatisfying(
                        Halt.Forced.class,
                        halt -> assertThat(halt.failure())
                                .hasMessageContaining(
                                        "run 'run-1' stopped: 300 of 1000 samples that were not skipped died (30.0 %)"));
    }

    @Test
    void samples_that_died_before_this_process_joined_do_not_stop_the_run_at_once() {
        counts.stored(totals(600, 400));
        counts.ended(SampleState.SUCCEEDED);
        assertThat(counts.halt()).isNull();

        counts.stored(totals(1_599, 400));
        assertThat(counts.halt()).isNotNull();
    }

    @Test
    void a_jump_of_the_counts_within_the_budget_does_not_stop_the_run() {
        counts.stored(totals(0, 0));
        counts.stored(totals(4_500, 500));

        assertThat(counts.tried()).isEqualTo(5_000);
        assertThat(counts.halt()).isNull();
    }

    private static Totals totals(long succeeded, long dead) {
        return new Totals(succeeded + dead, succeeded, 0, dead, false, OptionalLong.empty());
    }
}

package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.FailureBudget;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.Totals;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When it is time to look at the failure budget. */
final class RunCountsTest {

    private final RunCounts counts = new RunCounts("run-1", FailureBudget.STANDARD, 0);

    @Test
    void a_thousand_that_other_processes_filled_is_looked_at_too() {
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
    void what_died_before_this_process_came_does_not_stop_it_at_once() {
        counts.stored(totals(600, 400));
        counts.ended(SampleState.SUCCEEDED);
        assertThat(counts.halt()).isNull();

        counts.stored(totals(1_599, 400));
        assertThat(counts.halt()).isNotNull();
    }

    @Test
    void within_the_budget_nothing_is_exceeded_however_the_count_jumps() {
        counts.stored(totals(0, 0));
        counts.stored(totals(4_500, 500));

        assertThat(counts.tried()).isEqualTo(5_000);
        assertThat(counts.halt()).isNull();
    }

    private static Totals totals(long succeeded, long dead) {
        return new Totals(succeeded + dead, succeeded, 0, dead, false, OptionalLong.empty());
    }
}

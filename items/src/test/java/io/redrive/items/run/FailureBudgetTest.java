package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.RetryPolicy;
import io.redrive.items.Codec;
import io.redrive.items.FailureBudget;
import io.redrive.items.FailureBudgetExceeded;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.report.RunReport;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** A run stops when too many samples die, and goes on when the cause is gone. */
final class FailureBudgetTest {

    private final Rig rig = new Rig();
    private final AtomicBoolean mended = new AtomicBoolean();

    @Test
    void a_run_with_exactly_the_budget_goes_on_to_its_end() {
        RunRecord end = rig.runToEnd(dying(ordinal -> ordinal % 10 == 0, FailureBudget.STANDARD), Rig.numbers(2_000));

        assertThat(end.balance()).isEqualTo(new Balance(2_000, 1_800, 0, 200, 0, 0));
        assertThat(end.status()).isEqualTo(RunStatus.PARTIAL_SUCCESS);
    }

    @Test
    void one_death_more_than_the_budget_stops_the_run_with_the_rest_not_started() {
        Run run = rig.run(
                dying(ordinal -> ordinal % 10 == 0 || ordinal == 1, FailureBudget.STANDARD), Rig.numbers(5_000));
        RunRecord end = rig.finish(run);

        assertThat(end.status()).isEqualTo(RunStatus.BUDGET_EXCEEDED);
        assertThat(end.balance().in()).isEqualTo(5_000);
        assertThat(end.balance().notStarted()).isGreaterThan(3_000);
        assertThat(end.balance().succeeded()).isEqualTo(rig.results.size());
        assertThatThrownBy(run::await)
                .isInstanceOf(FailureBudgetExceeded.class)
                .hasMessageContaining("run 'run-1' stopped: 101 of 1000 samples that were not skipped died (10.1 %)")
                .hasMessageContaining("the budget is 10.0 %");
    }

    @Test
    void the_budget_is_looked_at_every_thousand_and_not_before() {
        RunRecord end = rig.runToEnd(dying(ordinal -> ordinal < 999, FailureBudget.STANDARD), Rig.numbers(999));

        assertThat(end.status()).isEqualTo(RunStatus.FAILED);
        assertThat(end.balance().dead()).isEqualTo(999);
    }

    @Test
    void failures_are_counted_over_the_whole_run() {
        // 90 of the first 1,000, then 111 of the next: 201 of 2,000.
        RunRecord end = rig.runToEnd(
                dying(ordinal -> ordinal < 90 || (ordinal >= 1_500 && ordinal < 1_611), FailureBudget.STANDARD),
                Rig.numbers(4_000));

        assertThat(end.status()).isEqualTo(RunStatus.BUDGET_EXCEEDED);
        assertThat(end.totals().processed()).isBetween(2_000L, 2_600L);
    }

    @Test
    void a_stopped_run_is_resumed_after_the_cause_is_gone() {
        ItemPipeline<String, String> pipeline =
                dying(ordinal -> true, FailureBudget.of(0.5).checkedEvery(100));
        RunRecord stopped = rig.runToEnd(pipeline, Rig.numbers(500));
        assertThat(stopped.status()).isEqualTo(RunStatus.BUDGET_EXCEEDED);
        long dead = stopped.balance().dead();

        mended.set(true);
        rig.store.archive().reprocess(DeadFilter.ofRun("run-1"), rig.time.now());
        RunRecord end = rig.runToEnd(pipeline, Rig.numbers(500));

        assertThat(dead).isBetween(100L, 500L);
        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(end.balance()).isEqualTo(new Balance(500, 500, 0, 0, 0, 0));
        assertThat(rig.results).hasSize(500).doesNotHaveDuplicates();
    }

    @Test
    void a_process_that_finds_the_budget_exceeded_stops_the_other_processes() {
        // The second process has an unlimited budget and would not stop on its own.
        Run one = process(dying(ordinal -> true, FailureBudget.of(0.5).checkedEvery(100)), "one");
        Run other = process(dying(ordinal -> true, FailureBudget.unlimited()), "other");
        while (!one.isOver() || !other.isOver()) {
            if (!(one.step() | other.step())) {
                rig.time.advance(Duration.ofMillis(50));
            }
        }

        RunRecord end = rig.store.archive().find("run-1", rig.time.now()).orElseThrow();
        assertThat(end.status()).isEqualTo(RunStatus.BUDGET_EXCEEDED);
        assertThat(end.balance().notStarted()).isPositive();
        for (Run run : List.of(one, other)) {
            assertThatThrownBy(run::await).isInstanceOf(FailureBudgetExceeded.class);
        }
    }

    private Run process(ItemPipeline<String, String> pipeline, String node) {
        return rig.run(
                pipeline,
                Rig.numbers(5_000),
                builder -> builder.node(node).settings(RunSettings.STANDARD.withWindow(40)));
    }

    @Test
    void skipped_samples_hide_no_failure_from_the_budget() {
        // Every call fails, but nine samples of ten never reach the call.
        Run run = rig.run(mostlySkipped(FailureBudget.of(0.5).checkedEvery(20)), Rig.numbers(1_000));
        RunRecord end = rig.finish(run);

        assertThat(end.status()).isEqualTo(RunStatus.BUDGET_EXCEEDED);
        assertThat(end.balance().notStarted()).isPositive();
        assertThatThrownBy(run::await).hasMessageContaining("20 of 20 samples that were not skipped died (100.0 %)");
    }

    @Test
    void skipped_samples_hide_no_failure_from_the_status() {
        RunRecord end = rig.runToEnd(mostlySkipped(FailureBudget.unlimited()), Rig.numbers(1_000));

        assertThat(end.balance()).isEqualTo(new Balance(1_000, 0, 900, 100, 0, 0));
        assertThat(end.status()).isEqualTo(RunStatus.FAILED);
        assertThat(RunReport.of(rig.store.archive(), "run-1", rig.time.now()).text())
                .contains("0.0 % of the 100 samples that were not skipped succeeded.");
    }

    @Test
    void a_run_without_a_sample_to_try_is_completed_and_says_so() {
        ItemPipeline<String, String> none = Rig.pipeline(Stage.filter("none", text -> false));

        assertThat(rig.runToEnd(none, Rig.numbers(7)).status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(RunReport.of(rig.store.archive(), "run-1", rig.time.now()).html())
                .contains("All samples were skipped");
        rig.finish(rig.run(none, Rig.numbers(0), builder -> builder.id("empty")));
        RunReport empty = RunReport.of(rig.store.archive(), "empty", rig.time.now());
        assertThat(empty.run().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(empty.json()).contains("\"status_basis\":\"The source had no samples");
    }

    private ItemPipeline<String, String> mostlySkipped(FailureBudget budget) {
        return ItemPipeline.named("texts", Codec.text())
                .stage(Stage.filter("filter", (String text) -> text.endsWith("7")))
                .stage(Stage.<String>map("call", text -> {
                            throw new IllegalStateException("HTTP 401");
                        })
                        .policy(RetryPolicy.noRetry()))
                .withoutEarlyStop()
                .failureBudget(budget)
                .build();
    }

    @Test
    void without_a_limit_all_may_die() {
        RunRecord end = rig.runToEnd(dying(ordinal -> true, FailureBudget.unlimited()), Rig.numbers(3_000));

        assertThat(end.status()).isEqualTo(RunStatus.FAILED);
        assertThat(end.balance().dead()).isEqualTo(3_000);
    }

    @Test
    void a_budget_that_makes_no_sense_is_refused() {
        assertThatThrownBy(() -> FailureBudget.of(1.1)).hasMessage("failure budget must be between 0 and 1, got 1.1");
        assertThatThrownBy(() -> FailureBudget.STANDARD.checkedEvery(0)).hasMessageContaining("every 1 or more");
    }

    private ItemPipeline<String, String> dying(LongPredicate dies, FailureBudget budget) {
        return ItemPipeline.named("texts", Codec.text())
                .stage(Stage.<String, String>of("s", null, (text, context) -> {
                            if (!mended.get() && dies.test(context.ordinal())) {
                                throw new IllegalStateException("dies");
                            }
                            return StageOutcome.value(text);
                        })
                        .policy(RetryPolicy.noRetry()))
                .withoutEarlyStop()
                .failureBudget(budget)
                .build();
    }
}

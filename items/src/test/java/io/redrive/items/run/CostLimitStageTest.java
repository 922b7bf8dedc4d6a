package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.CostLimit;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.report.RunReport;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.Price;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.StageSpending;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stage with a cost limit. */
@Timeout(60)
final class CostLimitStageTest {

    private final Rig rig = new Rig();
    private final CostLimit tokens =
            CostLimit.of("tokens", 60_000, Duration.ofMinutes(1)).time(rig.time);

    @Test
    void calls_are_spread_by_their_actual_cost() {
        Instant began = rig.time.now();

        RunRecord end = rig.runToEnd(
                pipeline(Stage.<String, String>of("ask", null, (text, sample) -> {
                            sample.cost().actual(2_000);
                            return StageOutcome.value(text);
                        })
                        .costLimit(tokens, text -> 500)),
                Rig.numbers(60));

        assertThat(end.balance().succeeded()).isEqualTo(60);
        assertThat(tokens.total()).isEqualTo(120_000);
        assertThat(Duration.between(began, rig.time.now())).isGreaterThan(Duration.ofSeconds(105));
    }

    @Test
    void a_call_that_reports_nothing_and_one_that_fails_cost_their_estimate() {
        AtomicInteger calls = new AtomicInteger();

        rig.runToEnd(
                pipeline(Stage.<String>map("ask", text -> {
                            if (calls.incrementAndGet() == 2) {
                                throw new IllegalStateException("no");
                            }
                            return text;
                        })
                        .policy(RetryPolicy.noRetry())
                        .costLimit(tokens, text -> 300)),
                Rig.numbers(10));

        assertThat(tokens.total()).isEqualTo(3_000);
    }

    @Test
    void a_batch_reserves_the_estimates_of_all_its_samples_and_reports_once() {
        rig.runToEnd(
                pipeline(Stage.<String, String>batchOf("ask", 5, null, (texts, samples) -> {
                            samples.forEach(sample -> sample.cost().actual(100L * samples.size()));
                            return texts.stream().map(StageOutcome::value).toList();
                        })
                        .costLimit(tokens, text -> 100)),
                Rig.numbers(20));

        assertThat(tokens.total()).isEqualTo(2_000);
    }

    @Test
    void the_report_sums_reported_and_estimated_costs_over_a_resume_with_another_price() {
        AtomicInteger calls = new AtomicInteger();
        Stage<String, String> ask = Stage.<String, String>of("ask", null, (text, sample) -> {
                    if (calls.incrementAndGet() % 5 == 0) {
                        throw new IllegalStateException("no");
                    }
                    sample.cost().actual(40);
                    sample.cost().actual(1_000_000);
                    return StageOutcome.value(text);
                })
                .policy(RetryPolicy.noRetry());
        Price cheap = Price.parse("1 USD/1k");
        Price dear = Price.parse("3 USD/1k");
        rig.runToEnd(pipeline(ask.costLimit(tokens, text -> 300, cheap)), Rig.numbers(10));
        rig.store.archive().reprocess(DeadFilter.ALL, rig.time.now());
        rig.runToEnd(pipeline(ask.costLimit(tokens, text -> 300, dear)), Rig.numbers(10));

        RunReport report = RunReport.of(rig.store.archive(), "run-1", rig.time.now());

        assertThat(report.spending())
                .containsExactly(
                        new StageSpending("ask", "tokens", Optional.of(cheap), 320, 600),
                        new StageSpending("ask", "tokens", Optional.of(dear), 80, 0));
        assertThat(report.text()).contains("320 tokens  0.3200 USD", "80 tokens  0.2400 USD");
    }

    @Test
    void a_stage_without_a_cost_limit_has_no_costs() {
        rig.runToEnd(pipeline(Stage.<String>map("ask", text -> text)), Rig.numbers(3));

        RunReport report = RunReport.of(rig.store.archive(), "run-1", rig.time.now());

        assertThat(report.spending()).isEmpty();
        assertThat(report.text()).doesNotContain("Cost");
        assertThat(report.html()).doesNotContain("Cost");
    }

    @Test
    void an_estimate_that_never_fits_is_the_end_of_its_sample_only() {
        RunRecord end = rig.runToEnd(
                pipeline(Stage.<String>map("ask", text -> text)
                        .policy(RetryPolicy.noRetry())
                        .costLimit(tokens, text -> text.endsWith("3") ? 60_001 : 10)),
                Rig.numbers(10));

        assertThat(end.balance().dead()).isEqualTo(1);
        assertThat(end.balance().succeeded()).isEqualTo(9);
        assertThat(rig.store
                        .archive()
                        .dead(DeadFilter.ALL, 1)
                        .get(0)
                        .sample()
                        .death()
                        .message())
                .contains("between 0 and the whole limit 'tokens' of 60000 per 1m, got 60001");
    }

    @Test
    void processes_that_share_a_run_divide_the_limit() {
        Lane lane = new Lane(0, Stage.<String>map("ask", text -> text).costLimit(tokens, text -> 1));
        lane.share(6);

        assertThat(tokens.tryReserve(2_000)).isPresent();
        assertThat(tokens.untilFree()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(7));
        assertThat(lane.isLimited()).isTrue();
    }

    @Test
    void a_run_that_is_stopped_does_not_wait_for_the_limit() throws Exception {
        CostLimit daily = CostLimit.of("daily", 10, Duration.ofDays(1));
        CountDownLatch called = new CountDownLatch(1);
        Run run = Run.of(
                        pipeline(Stage.<String>map("ask", text -> {
                                    called.countDown();
                                    return text;
                                })
                                .costLimit(daily, text -> 10)),
                        new InMemoryRunStore())
                .from(Rig.numbers(50))
                .start();
        called.await();

        run.stop();

        assertThat(run.await().status()).isEqualTo(RunStatus.STOPPED);
        assertThat(daily.total()).isEqualTo(10);
    }

    private static ItemPipeline<String, String> pipeline(Stage<String, String> stage) {
        return ItemPipeline.named("costly", Codec.text()).stage(stage).build();
    }
}

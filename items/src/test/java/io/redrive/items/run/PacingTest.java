package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.HttpStatusException;
import io.redrive.core.Jitter;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryPolicy;
import io.redrive.items.RateLimit;
import io.redrive.items.RunListener;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The pace of calls: rate limit, pauses that servers ask for, retry budget. */
final class PacingTest {

    private static final RetryPolicy PATIENT = RetryPolicy.builder()
            .maxAttempts(10)
            .backoff(Backoff.fixed(Duration.ofMillis(100)))
            .jitter(Jitter.none())
            .build();

    private final Rig rig = new Rig();
    private final List<Long> calledAt = new ArrayList<>();

    @Test
    void calls_are_spaced_by_the_rate_limit() {
        rig.runToEnd(Rig.pipeline(noting().rateLimit(RateLimit.perSecond(10))), Rig.numbers(21));

        assertThat(calledAt).hasSize(21);
        assertThat(calledAt.get(20) - calledAt.get(0)).isGreaterThanOrEqualTo(1_950);
        for (int i = 0; i + 10 < calledAt.size(); i++) {
            assertThat(calledAt.get(i + 10) - calledAt.get(i)).isGreaterThanOrEqualTo(950);
        }
    }

    @Test
    void a_call_that_was_not_allowed_yet_when_the_run_looked_is_not_slept_through() {
        Run run = rig.run(Rig.pipeline(noting().rateLimit(RateLimit.perSecond(100))), Rig.numbers(2));
        run.drain();
        rig.time.advance(run.untilNextStep());

        assertThat(calledAt).hasSize(1);
        assertThat(run.untilNextStep()).isZero();
    }

    @Test
    void a_downstream_that_pushes_back_lowers_the_adaptive_limit_of_its_stage() {
        AdaptiveLimit limit = AdaptiveLimit.between(1, 64);
        Stage<String, String> stage = Stage.map("api", (String text) -> {
                    calledAt.add(rig.time.nanos());
                    if (calledAt.size() % 2 == 0) {
                        throw new HttpStatusException(503, "busy");
                    }
                    return text;
                })
                .policy(RetryPolicy.noRetry())
                .concurrency(limit);

        List<RunListener.Limited> heard = new ArrayList<>();
        RunListener listener = new RunListener() {
            @Override
            public void onLimit(Limited event) {
                heard.add(event);
            }
        };
        rig.finish(rig.run(Rig.pipeline(stage), Rig.numbers(600), builder -> builder.listener(listener)));

        assertThat(calledAt).hasSize(600);
        assertThat(limit.limit()).isEqualTo(1);
        assertThat(heard)
                .extracting(RunListener.Limited::limit)
                .startsWith(4)
                .endsWith(1)
                .doesNotHaveDuplicates();
        assertThat(heard.get(heard.size() - 1).stage()).isEqualTo("api");
        assertThat(heard.get(heard.size() - 1).why()).contains("calls were pushed back");
        assertThat(stage.concurrency()).isEqualTo(1);
    }

    @Test
    void a_stage_has_either_a_fixed_concurrency_or_an_adaptive_limit() {
        AdaptiveLimit limit = AdaptiveLimit.between(1, 64);
        Stage<String, String> adaptive = noting().concurrency(limit);
        Stage<String, String> fixed = noting().concurrency(7);

        assertThat(adaptive.concurrency()).isEqualTo(4);
        assertThat(fixed.concurrency(9).concurrency()).isEqualTo(9);
        assertThatThrownBy(() -> adaptive.concurrency(7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("must have either a fixed concurrency or an adaptive limit, got both (fixed: 7);"
                        + " leave one of them out");
        assertThatThrownBy(() -> fixed.concurrency(limit)).hasMessageContaining("got both (fixed: 7)");
    }

    @Test
    void a_batch_is_one_call() {
        Stage<String, String> batched = Stage.batch("s", 10, (List<String> texts) -> {
            calledAt.add(rig.time.nanos() / 1_000_000);
            return texts;
        });
        rig.runToEnd(Rig.pipeline(batched.rateLimit(RateLimit.perSecond(1))), Rig.numbers(30));

        assertThat(calledAt).hasSize(3);
        assertThat(calledAt.get(2)).isBetween(1_900L, 2_200L);
    }

    @Test
    void one_retry_after_slows_the_whole_stage_and_not_only_its_sample() {
        Stage<String, String> stage = Stage.<String, String>of("api", null, (text, context) -> {
                    calledAt.add(rig.time.nanos() / 1_000_000);
                    if (context.ordinal() == 3 && context.attempt() == 1) {
                        throw new HttpStatusException(429, "slow down", Duration.ofSeconds(7));
                    }
                    return StageOutcome.value(text);
                })
                .policy(PATIENT)
                .concurrency(1);
        List<RunListener.Slowed> slowed = new ArrayList<>();
        Run run = rig.run(
                Rig.pipeline(stage),
                Rig.numbers(600),
                builder -> builder.listener(new RunListener() {
                    @Override
                    public void onSlowed(Slowed event) {
                        slowed.add(event);
                    }
                }));
        RunRecord end = rig.finish(run);

        assertThat(calledAt.get(4) - calledAt.get(3)).isGreaterThanOrEqualTo(7_000);
        assertThat(slowed).hasSize(1);
        assertThat(slowed.get(0).pause()).isEqualTo(Duration.ofSeconds(7));
        assertThat(end.balance().succeeded()).isEqualTo(600);
    }

    @Test
    void a_due_retry_goes_before_first_attempts() {
        List<String> order = new ArrayList<>();
        Stage<String, String> slow = Stage.<String, String>of("slow", null, (text, context) -> {
                    order.add(text + " " + context.attempt());
                    return context.ordinal() == 0 && context.attempt() == 1
                            ? StageOutcome.failed(Failure.status(503))
                            : StageOutcome.value(text);
                })
                .policy(PATIENT)
                .rateLimit(RateLimit.perSecond(10));
        rig.runToEnd(Rig.pipeline(slow), Rig.numbers(50));

        assertThat(order.indexOf("s0 2")).isBetween(1, 3);
        assertThat(order).hasSize(51);
    }

    @Test
    void another_stage_is_not_slowed() {
        List<String> order = new ArrayList<>();
        Stage<String, String> first = Stage.map("first", (String text) -> {
            order.add("first " + text);
            return text;
        });
        Stage<String, String> limited = Stage.<String, String>of("limited", null, (text, context) -> {
                    order.add("limited " + text);
                    return context.ordinal() == 0 && context.attempt() == 1
                            ? StageOutcome.failed(Failure.status(429, Duration.ofSeconds(5)))
                            : StageOutcome.value(text);
                })
                .policy(PATIENT);
        Run run = rig.run(Rig.pipeline(first, limited), Rig.numbers(5));
        run.drain();

        assertThat(order).contains("first s4");
        assertThat(rig.finish(run).balance().succeeded()).isEqualTo(5);
    }

    @Test
    void a_retry_without_a_token_waits_and_spends_no_attempt() {
        RetryBudget budget =
                RetryBudget.builder("api").share(0).reserve(1).size(10).build();
        Stage<String, String> slow = Stage.map("slow", (String text) -> text).rateLimit(RateLimit.perMinute(1));
        Run run =
                rig.run(Rig.pipeline(slow, failingAtFirst().retryBudget(budget).policy(PATIENT)), Rig.numbers(3));
        for (int i = 0; i < 100; i++) {
            run.drain();
            rig.time.advance(Duration.ofSeconds(1));
        }

        assertThat(rig.results).hasSize(1);
        assertThat(run.progress().waiting()).isEqualTo(1);
        assertThat(run.progress().dead()).isZero();
        assertThat(rig.store
                        .archive()
                        .sample("run-1", 1)
                        .orElseThrow()
                        .progress()
                        .failed())
                .isEqualTo(1);
    }

    @Test
    void retries_go_on_without_tokens_once_no_first_attempt_is_left() {
        RetryBudget empty =
                RetryBudget.builder("api").share(0).reserve(0).size(10).build();
        Map<Instant, Integer> retries = new HashMap<>();
        Stage<String, String> stage = Stage.<String, String>of("api", null, (text, context) -> {
                    if (context.attempt() == 1) {
                        return StageOutcome.failed(Failure.status(503));
                    }
                    retries.merge(rig.time.now(), 1, Integer::sum);
                    return StageOutcome.value(text);
                })
                .policy(PATIENT)
                .concurrency(4)
                .retryBudget(empty);
        RunRecord end = rig.finish(rig.run(
                Rig.pipeline(stage),
                Rig.numbers(100),
                builder -> builder.settings(RunSettings.STANDARD.withWindow(10))));

        assertThat(end.balance().succeeded()).isEqualTo(100);
        assertThat(retries.values()).allSatisfy(atOnce -> assertThat(atOnce).isBetween(1, 4));
    }

    private static Stage<String, String> failingAtFirst() {
        return Stage.of(
                "api",
                null,
                (text, context) ->
                        context.attempt() == 1 ? StageOutcome.failed(Failure.status(503)) : StageOutcome.value(text));
    }

    @Test
    void first_attempts_earn_the_retries() {
        RetryBudget budget =
                RetryBudget.builder("api").share(0.5).reserve(0).size(10).build();
        Stage<String, String> stage = Stage.<String, String>of(
                        "api",
                        null,
                        (text, context) -> context.ordinal() < 5 && context.attempt() == 1
                                ? StageOutcome.failed(Failure.status(503))
                                : StageOutcome.value(text))
                .policy(PATIENT)
                .retryBudget(budget);

        Run run = rig.run(Rig.pipeline(stage), Rig.numbers(10));
        for (int i = 0; i < 10; i++) {
            run.drain();
            rig.time.advance(Duration.ofSeconds(1));
        }

        assertThat(rig.results).hasSize(10);
    }

    @Test
    void a_retry_after_a_time_out_costs_the_tokens_that_the_budget_sets() {
        RetryBudget budget = RetryBudget.builder("api")
                .share(0)
                .reserve(10)
                .size(10)
                .timeoutCost(7)
                .build();
        Stage<String, String> stage = Stage.<String, String>of(
                        "api",
                        null,
                        (text, context) -> context.attempt() == 1
                                ? StageOutcome.failed(
                                        Failure.thrown(new AttemptTimeoutException(Duration.ofSeconds(1))))
                                : StageOutcome.value(text))
                .policy(PATIENT)
                .retryBudget(budget);
        rig.finish(rig.run(Rig.pipeline(stage), Rig.numbers(1)));

        assertThat(budget.tokens()).isEqualTo(3);
    }

    @Test
    void a_rate_that_makes_no_sense_is_refused() {
        assertThatThrownBy(() -> RateLimit.perSecond(0)).hasMessageContaining("must be above 0");
        assertThatThrownBy(() -> new RateLimit(1, Duration.ZERO)).hasMessageContaining("per 1ns to 1d");
        assertThat(RateLimit.perMinute(60).spacing()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_pacer_does_not_save_up_unused_calls() {
        Pacer pacer = new Pacer(RateLimit.perSecond(10));
        long second = 1_000_000_000L;
        pacer.called(0);
        assertThat(pacer.mayCall(50_000_000)).isFalse();
        assertThat(pacer.waitNanos(50_000_000)).isEqualTo(50_000_000);
        int calls = 0;
        while (pacer.mayCall(60 * second)) {
            pacer.called(60 * second);
            calls++;
        }
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void the_longest_wish_holds() {
        Pacer pacer = new Pacer(null);
        pacer.pause(Duration.ofSeconds(5), 0);
        pacer.pause(Duration.ofSeconds(2), 0);
        assertThat(pacer.mayCall(4_999_999_999L)).isFalse();
        assertThat(pacer.mayCall(5_000_000_000L)).isTrue();
        pacer.pause(Duration.ofDays(1_000_000), 0);
        assertThat(pacer.isPaused(Duration.ofDays(300).toNanos())).isTrue();
    }

    private Stage<String, String> noting() {
        return Stage.map("s", (String text) -> {
            calledAt.add(rig.time.nanos() / 1_000_000);
            return text;
        });
    }
}

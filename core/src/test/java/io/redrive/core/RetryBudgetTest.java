package io.redrive.core;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.core.Probes.Flaky;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryBudgetTest {

    private static final Failure DOWN = Failure.thrown(new IOException("down"));
    private static final Failure TIMEOUT =
            Failure.thrown(new CompletionException(new AttemptTimeoutException(Duration.ofSeconds(1))));

    @Test
    void the_defaults_are_a_tenth_of_first_attempts_and_ten_in_reserve() {
        RetryBudget budget = RetryBudget.of("payments");
        assertThat(budget.tokens()).isEqualTo(10);
        assertThat(budget.size()).isEqualTo(100);
        assertThat(retries(budget, 20)).isEqualTo(10);
        for (int i = 0; i < 100; i++) {
            budget.firstAttempt();
        }
        assertThat(retries(budget, 20)).isEqualTo(10);
        assertThat(budget).hasToString("retry budget 'payments' 10% of first attempts");
        assertThat(budget.name()).isEqualTo("payments");
    }

    @ParameterizedTest(name = "share {0}: {1} first attempts earn {2} retries")
    @CsvSource({"0.1, 9, 0", "0.1, 10, 1", "0.2, 25, 5", "1, 7, 7", "0, 1000, 0", "0.01, 1000, 10", "0.333333, 3, 0"})
    void first_attempts_earn_their_share(double share, int firsts, int retries) {
        RetryBudget budget = RetryBudget.builder("b").share(share).reserve(0).build();
        for (int i = 0; i < firsts; i++) {
            budget.firstAttempt();
        }
        assertThat(retries(budget, 2_000)).isEqualTo(retries);
    }

    @Test
    void no_more_is_saved_up_than_the_size() {
        RetryBudget budget =
                RetryBudget.builder("b").share(1).reserve(0).size(5).build();
        for (int i = 0; i < 1_000; i++) {
            budget.firstAttempt();
        }
        assertThat(budget.tokens()).isEqualTo(5);
        assertThat(retries(budget, 10)).isEqualTo(5);
        RetryBudget odd =
                RetryBudget.builder("b").share(0.7).reserve(0.5).size(1).build();
        odd.firstAttempt();
        assertThat(odd.tokens()).isEqualTo(1);
    }

    @Test
    void retries_and_time_outs_have_their_own_costs() {
        RetryBudget budget =
                RetryBudget.builder("b").reserve(10).retryCost(2).timeoutCost(5).build();
        assertThat(budget.tryRetry(TIMEOUT)).isTrue();
        assertThat(budget.tokens()).isEqualTo(5);
        assertThat(budget.tryRetry(DOWN)).isTrue();
        assertThat(budget.tokens()).isEqualTo(3);
        assertThat(budget.tryRetry(TIMEOUT)).isFalse();
        assertThat(budget.tokens()).isEqualTo(3);
        assertThat(budget.tryRetry(Failure.status(503))).isTrue();
        assertThat(budget.tryRetry(DOWN)).isFalse();
    }

    @Test
    void a_call_that_the_budget_refuses_gives_up_with_its_reason() {
        ManualTime time = new ManualTime();
        RetryBudget budget = RetryBudget.builder("b").share(0).reserve(1).build();
        Retry retry = Retry.with(Probes.THREE).time(time).budget(budget);
        IOException last = new IOException("2");
        RetryResult<String> result = retry.run(new Flaky<>("", new IOException("1"), last));
        assertThat(result)
                .isEqualTo(new RetryResult.Failure<String>(
                        Reason.RETRY_BUDGET_EXHAUSTED, last, 2, Duration.ofSeconds(1), null));
        assertThat(retry.run(new Flaky<>("", last)))
                .isEqualTo(new RetryResult.Failure<String>(Reason.RETRY_BUDGET_EXHAUSTED, last, 1, ZERO, null));
    }

    @Test
    void calls_earn_by_their_first_attempt_and_pay_only_for_retries() throws Exception {
        ManualTime time = new ManualTime();
        RetryBudget budget = RetryBudget.builder("b").share(0.5).reserve(0).build();
        Retry retry = Retry.with(Probes.THREE).time(time).budget(budget);
        retry.call(() -> "up");
        retry.run(() -> "up");
        retry.callAsync(() -> CompletableFuture.completedFuture("up"));
        assertThat(budget.tokens()).isEqualTo(1.5);
        retry.call(new Flaky<>("up", new IOException()));
        assertThat(budget.tokens()).isEqualTo(1.0);
        // A failure that is not retryable, and the last attempt, take no tokens.
        retry.run(new Flaky<>("", new OutOfMemoryError()));
        assertThat(budget.tokens()).isEqualTo(1.5);
        Retry.with(RetryPolicy.noRetry()).budget(budget).run(new Flaky<>("", new IOException()));
        assertThat(budget.tokens()).isEqualTo(2.0);
    }

    @Test
    void a_call_that_an_open_breaker_refuses_earns_nothing() {
        RetryBudget budget = RetryBudget.builder("b").reserve(0).build();
        CircuitBreaker open = CircuitBreaker.of("api");
        open.open();
        Retry.with(Probes.THREE).budget(budget).breaker(open).run(() -> "never");
        assertThat(budget.tokens()).isZero();
    }

    @Test
    void under_concurrency_no_more_retries_are_granted_than_were_earned() throws Exception {
        int threads = 8;
        int calls = 5_000;
        RetryBudget budget =
                RetryBudget.builder("b").share(0.1).reserve(10).size(1_000_000).build();
        AtomicInteger granted = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        for (int t = 0; t < threads; t++) {
            pool.execute(() -> {
                for (int i = 0; i < calls; i++) {
                    budget.firstAttempt();
                    if (budget.tryRetry(DOWN)) {
                        granted.incrementAndGet();
                    }
                }
            });
        }
        pool.shutdown();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        int earned = 10 + threads * calls / 10;
        assertThat(granted.get() + retries(budget, earned))
                .as("earned is granted, no more and no less")
                .isEqualTo(earned);
        assertThat(granted).hasValueLessThanOrEqualTo(earned);
    }

    @Test
    void settings_are_checked_with_rule_and_value() {
        refused(b -> b.share(1.1), "retry budget share must be between 0 and 1, got 1.1");
        refused(b -> b.share(Double.NaN), "retry budget share must be between 0 and 1, got NaN");
        refused(b -> b.reserve(-1), "retry budget reserve must be between 0 and 1000000, got -1.0");
        refused(b -> b.size(0.5), "retry budget size must be between 1 and 1000000, got 0.5");
        refused(b -> b.retryCost(-1), "retry budget retryCost must be between 0 and 1000, got -1.0");
        refused(b -> b.timeoutCost(1_001), "retry budget timeoutCost must be between 0 and 1000, got 1001.0");
        refused(b -> b.size(5), "retry budget reserve must not exceed its size of 5, got 10");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryBudget.of(""))
                .withMessage("retry budget name must not be blank");
        assertThat(RetryBudget.builder("b").reserve(100).build().tokens()).isEqualTo(100);
    }

    @Test
    void settings_of_a_budget_in_use_can_change_and_saved_tokens_stay() {
        RetryBudget budget = RetryBudget.builder("b").reserve(50).share(0).build();
        budget.use(RetryBudget.builder("other").size(20).share(0.5).retryCost(2).build());
        assertThat(budget.name()).isEqualTo("b");
        assertThat(budget.tokens()).isEqualTo(20);
        assertThat(retries(budget, 100)).isEqualTo(10);
        for (int i = 0; i < 8; i++) {
            budget.firstAttempt();
        }
        assertThat(retries(budget, 100)).isEqualTo(2);
    }

    private static void refused(UnaryOperator<RetryBudget.Builder> settings, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.apply(RetryBudget.builder("b")).build())
                .withMessage(message);
    }

    private static int retries(RetryBudget budget, int asked) {
        int granted = 0;
        for (int i = 0; i < asked; i++) {
            granted += budget.tryRetry(DOWN) ? 1 : 0;
        }
        return granted;
    }

    @Test
    void a_recorded_time_out_costs_as_much_as_the_time_out_itself() {
        RetryBudget budget =
                RetryBudget.builder("recorded").reserve(10).timeoutCost(4).build();
        Failure timeout = Failure.thrown(new AttemptTimeoutException(Duration.ofSeconds(1)));
        assertThat(budget.tryRetry(timeout)).isTrue();
        assertThat(budget.tryRetry(Failure.kind(timeout.type()))).isTrue();
        assertThat(budget.tokens()).isEqualTo(2);
        assertThat(budget.tryRetry(Failure.kind("IOException"))).isTrue();
        assertThat(budget.tokens()).isEqualTo(1);
    }
}

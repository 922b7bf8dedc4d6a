package io.redrive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redrive.core.Backoff;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.Jitter;
import io.redrive.core.ManualTime;
import io.redrive.core.Operation;
import io.redrive.core.Retry;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RetryMetricsTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final RetryMetrics metrics = RetryMetrics.on(registry);
    private final ManualTime time = new ManualTime();
    private final RetryPolicy policy = RetryPolicy.builder()
            .maxAttempts(3)
            .backoff(Backoff.fixed(Duration.ofSeconds(2)))
            .jitter(Jitter.none())
            .doNotRetryOn(IllegalArgumentException.class)
            .build();
    private final Retry retry = Retry.with(policy).named("payments").time(time).listener(metrics);

    @Test
    void a_success_at_once_and_a_success_after_retries_are_counted_apart() {
        retry.run(failing(0));
        retry.run(failing(2));

        assertThat(calls("success", "none")).isEqualTo(1);
        assertThat(calls("success_after_retry", "none")).isEqualTo(1);
    }

    @Test
    void a_failure_is_counted_with_its_reason() {
        retry.run(failing(9));
        retry.run(() -> {
            throw new IllegalArgumentException("wrong");
        });

        assertThat(calls("failure", "max_attempts_exceeded")).isEqualTo(1);
        assertThat(calls("failure", "not_retryable")).isEqualTo(1);
    }

    @Test
    void every_attempt_is_counted_by_its_outcome() {
        retry.run(failing(2));

        assertThat(attempts("failure")).isEqualTo(2);
        assertThat(attempts("success")).isEqualTo(1);
    }

    @Test
    void attempts_of_a_call_and_its_time_are_distributions() {
        retry.run(failing(2));

        var count = registry.get("retry.attempt.count")
                .tags("name", "payments", "outcome", "success_after_retry")
                .summary();
        var latency = registry.get("retry.latency")
                .tags("name", "payments", "outcome", "success_after_retry")
                .timer();
        assertThat(count.count()).isEqualTo(1);
        assertThat(count.totalAmount()).isEqualTo(3);
        assertThat(latency.totalTime(TimeUnit.SECONDS)).isCloseTo(4, within(1e-9));
    }

    @Test
    void each_wait_is_timed() {
        retry.run(failing(2));

        var delay = registry.get("retry.delay").tag("name", "payments").timer();
        assertThat(delay.count()).isEqualTo(2);
        assertThat(delay.totalTime(TimeUnit.SECONDS)).isCloseTo(4, within(1e-9));
    }

    @Test
    void a_budget_shows_its_tokens_and_its_refusals() {
        RetryBudget budget = RetryBudget.builder("bank").share(0).reserve(1).build();
        metrics.watch(budget);
        retry.budget(budget).run(failing(9));

        assertThat(registry.get("retry.budget.tokens")
                        .tag("budget", "bank")
                        .gauge()
                        .value())
                .isZero();
        assertThat(registry.get("retry.budget.refused")
                        .tags("name", "payments", "budget", "bank")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(calls("failure", "retry_budget_exhausted")).isEqualTo(1);
    }

    @Test
    void a_breaker_shows_its_state_and_its_changes() {
        CircuitBreaker breaker = breaker();
        metrics.watch(breaker);
        var state = registry.get("circuit.breaker.state").tag("breaker", "bank").gauge();
        assertThat(state.value()).isZero();

        retry.breaker(breaker).run(failing(9));
        assertThat(state.value()).isEqualTo(2);

        time.advance(Duration.ofSeconds(30));
        long trial = breaker.tryEnter();
        assertThat(state.value()).isEqualTo(1);

        breaker.succeeded(trial);
        assertThat(state.value()).isZero();
        assertThat(transitions("open")).isEqualTo(1);
        assertThat(transitions("half_open")).isEqualTo(1);
        assertThat(transitions("closed")).isEqualTo(1);
    }

    @Test
    void a_call_refused_by_the_breaker_leaves_no_mark_on_attempts_and_times() {
        CircuitBreaker breaker = breaker();
        breaker.open();
        retry.breaker(breaker).run(failing(0));

        assertThat(calls("failure", "circuit_open")).isEqualTo(1);
        assertThat(registry.get("retry.attempt.count")
                        .tag("outcome", "failure")
                        .summary()
                        .count())
                .isZero();
        assertThat(registry.get("retry.latency")
                        .tag("outcome", "failure")
                        .timer()
                        .count())
                .isZero();
    }

    @Test
    void calls_without_a_name_have_a_tag_all_the_same() {
        Retry.with(policy).listener(metrics).run(failing(0));

        assertThat(registry.get("retry.calls")
                        .tags("name", "unnamed", "outcome", "success")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void names_beyond_the_limit_are_counted_together() {
        int extra = 50;
        IntStream.range(0, RetryMetrics.MAX_NAMES + extra)
                .forEach(i -> metrics.onSuccess(new RetryListener.Succeeded("order-" + i, 1, 3, Duration.ZERO)));

        assertThat(registry.get("retry.calls")
                        .tags("name", "other", "outcome", "success")
                        .counter()
                        .count())
                .isEqualTo(extra);
        assertThat(registry.find("retry.delay").meters()).hasSize(RetryMetrics.MAX_NAMES + 1);
    }

    @Test
    void gauges_beyond_the_limit_are_not_made() {
        IntStream.range(0, RetryMetrics.MAX_NAMES + 5).forEach(i -> metrics.watch(RetryBudget.of("budget-" + i)));

        assertThat(registry.find("retry.budget.tokens").meters()).hasSize(RetryMetrics.MAX_NAMES);
    }

    @Test
    void errors_never_become_tags() {
        retry.run(failing(9));

        assertThat(registry.getMeters())
                .map(Meter::getId)
                .allSatisfy(id -> assertThat(id.toString()).doesNotContain("IOException", "flaky number"));
    }

    private CircuitBreaker breaker() {
        return CircuitBreaker.builder("bank")
                .failureCount(1)
                .trialCalls(1)
                .time(time)
                .listener(metrics)
                .build();
    }

    private double calls(String outcome, String reason) {
        return registry.get("retry.calls")
                .tags("name", "payments", "outcome", outcome, "reason", reason)
                .counter()
                .count();
    }

    private double attempts(String outcome) {
        return registry.get("retry.attempts")
                .tags("name", "payments", "outcome", outcome)
                .counter()
                .count();
    }

    private double transitions(String to) {
        return registry.get("circuit.breaker.transitions")
                .tags("breaker", "bank", "to", to)
                .counter()
                .count();
    }

    private static Operation<String, IOException> failing(int times) {
        AtomicInteger calls = new AtomicInteger();
        return () -> {
            if (calls.incrementAndGet() <= times) {
                throw new IOException("flaky number " + calls);
            }
            return "done";
        };
    }
}

package io.redrive.core;

import static io.redrive.core.CircuitBreaker.REFUSED;
import static io.redrive.core.CircuitBreaker.State.CLOSED;
import static io.redrive.core.CircuitBreaker.State.HALF_OPEN;
import static io.redrive.core.CircuitBreaker.State.OPEN;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Probes.Flaky;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CircuitBreakerTest {

    private final ManualTime time = new ManualTime();
    private final Probes.Recorder recorder = new Probes.Recorder();
    private final IOException down = new IOException("down");

    @Test
    void a_breaker_opens_at_the_failure_count_and_refuses_until_the_open_time_is_over() {
        CircuitBreaker breaker = breaker().failureCount(3).build();
        fail(breaker, 2);
        assertThat(breaker.state()).isEqualTo(CLOSED);
        assertThat(breaker.remainingOpen()).isEqualTo(ZERO);
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(OPEN);
        assertThat(breaker.tryEnter()).isEqualTo(REFUSED);
        time.advance(Duration.ofNanos(9_999_999_999L));
        assertThat(breaker.tryEnter()).isEqualTo(REFUSED);
        assertThat(breaker.remainingOpen()).isEqualTo(Duration.ofNanos(1));
        time.advance(Duration.ofNanos(1));
        assertThat(breaker.state()).isEqualTo(OPEN);
        assertThat(breaker.tryEnter()).isNotEqualTo(REFUSED);
        assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    }

    @ParameterizedTest(name = "{0} of the last 100 calls, {1} failures")
    @CsvSource({"0.5, 50", "0.07, 7", "0.55, 55", "0.29, 29", "1.0, 100", "0.001, 1"})
    void a_breaker_opens_exactly_at_the_failure_rate(double rate, int failures) {
        CircuitBreaker breaker =
                breaker().failureRate(rate).window(100).minimumCalls(100).build();
        succeed(breaker, 100 - failures);
        fail(breaker, failures - 1);
        assertThat(breaker.state()).isEqualTo(CLOSED);
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    void a_rate_is_not_judged_before_the_minimum_of_calls() {
        CircuitBreaker breaker = breaker().failureRate(0.5).minimumCalls(10).build();
        fail(breaker, 9);
        assertThat(breaker.state()).isEqualTo(CLOSED);
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    void outcomes_that_left_the_window_do_not_count() {
        CircuitBreaker breaker = breaker().failureCount(2).window(4).build();
        for (int i = 0; i < 20; i++) {
            fail(breaker, 1);
            succeed(breaker, 3);
        }
        assertThat(breaker.state()).isEqualTo(CLOSED);
        fail(breaker, 2);
        assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    void all_trials_must_succeed_to_close_a_breaker_and_a_failed_trial_opens_it_again() {
        CircuitBreaker breaker = breaker().failureCount(1).trialCalls(2).build();
        fail(breaker, 1);
        time.advance(ofSeconds(10));
        succeed(breaker, 1);
        assertThat(breaker.state()).isEqualTo(HALF_OPEN);
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(OPEN);
        time.advance(ofSeconds(10));
        succeed(breaker, 2);
        assertThat(breaker.state()).isEqualTo(CLOSED);
        assertThat(recorder.events)
                .containsExactly(
                        new RetryListener.BreakerChanged("api", CLOSED, OPEN),
                        new RetryListener.BreakerChanged("api", OPEN, HALF_OPEN),
                        new RetryListener.BreakerChanged("api", HALF_OPEN, OPEN),
                        new RetryListener.BreakerChanged("api", OPEN, HALF_OPEN),
                        new RetryListener.BreakerChanged("api", HALF_OPEN, CLOSED));
    }

    @Test
    void outcomes_that_arrive_after_the_state_has_moved_on_are_ignored() {
        CircuitBreaker breaker = breaker().failureCount(1).trialCalls(1).build();
        long slow = breaker.tryEnter();
        fail(breaker, 1);
        breaker.succeeded(slow);
        assertThat(breaker.state()).isEqualTo(OPEN);
        time.advance(ofSeconds(10));
        long trial = breaker.tryEnter();
        breaker.failed(slow, down);
        breaker.abandoned(slow);
        assertThat(breaker.state()).isEqualTo(HALF_OPEN);
        assertThat(breaker.tryEnter()).isEqualTo(REFUSED);
        breaker.succeeded(trial);
        assertThat(breaker.state()).isEqualTo(CLOSED);
        breaker.failed(trial, down);
        assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void an_abandoned_trial_returns_its_permit() {
        CircuitBreaker breaker = breaker().failureCount(1).trialCalls(1).build();
        fail(breaker, 1);
        time.advance(ofSeconds(10));
        long trial = breaker.tryEnter();
        assertThat(breaker.tryEnter()).isEqualTo(REFUSED);
        breaker.abandoned(trial);
        assertThat(breaker.tryEnter()).isEqualTo(trial);
    }

    @Test
    void abandoned_calls_leave_no_trace_while_closed() {
        CircuitBreaker breaker = breaker().failureCount(2).build();
        fail(breaker, 1);
        breaker.abandoned(breaker.tryEnter());
        assertThat(breaker.state()).isEqualTo(CLOSED);
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    void ignored_failures_leave_no_trace_and_a_predicate_that_throws_ignores_nothing() {
        CircuitBreaker breaker = breaker()
                .failureCount(1)
                .trialCalls(1)
                .ignore(error -> {
                    if (error instanceof IOException) {
                        throw new IllegalStateException("predicate");
                    }
                    return error instanceof IllegalArgumentException;
                })
                .build();
        breaker.failed(breaker.tryEnter(), new IllegalArgumentException("the caller's own fault"));
        assertThat(breaker.state()).isEqualTo(CLOSED);
        breaker.failed(breaker.tryEnter(), down);
        assertThat(breaker.state()).isEqualTo(OPEN);
        time.advance(ofSeconds(10));
        breaker.failed(breaker.tryEnter(), new IllegalArgumentException("again"));
        assertThat(breaker.tryEnter()).isNotEqualTo(REFUSED);
    }

    @Test
    void a_breaker_can_be_opened_and_closed_by_hand() {
        CircuitBreaker breaker = breaker().failureCount(2).build();
        fail(breaker, 1);
        breaker.open();
        time.advance(ofSeconds(6));
        breaker.open();
        assertThat(breaker.remainingOpen()).isEqualTo(ofSeconds(10));
        breaker.close();
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(CLOSED);
        assertThat(recorder.events).hasSize(2);
    }

    @Test
    void around_a_retry_a_breaker_counts_calls_not_attempts() {
        CircuitBreaker breaker = breaker().failureCount(2).build();
        Retry retry = Retry.with(Probes.THREE).time(time).breaker(breaker);
        retry.run(new Flaky<>("", down, down, down));
        assertThat(breaker.state()).isEqualTo(CLOSED);
        retry.run(new Flaky<>("up", down, down));
        assertThatThrownBy(() -> retry.call(new Flaky<>("", down, down, down))).isSameAs(down);
        assertThat(breaker.state()).isEqualTo(OPEN);
        RetryResult<String> refused = retry.run(() -> "never");
        assertThat(refused).isInstanceOfSatisfying(RetryResult.Failure.class, failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.CIRCUIT_OPEN);
            assertThat(failure.attempts()).isZero();
            assertThat(failure.lastException()).isInstanceOf(CircuitOpenException.class);
        });
        time.advance(ofSeconds(10));
        for (int i = 0; i < 3; i++) {
            assertThat(retry.call(() -> "up")).isEqualTo("up");
        }
        assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void an_interrupted_call_says_nothing_about_the_downstream() {
        CircuitBreaker breaker = breaker().failureCount(1).build();
        Retry retry = Retry.with(Probes.THREE).time(time).breaker(breaker);
        retry.run(new Flaky<>("", new InterruptedException()));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void a_result_that_is_refused_to_the_end_is_a_failure_to_the_breaker() {
        CircuitBreaker breaker = breaker().failureCount(1).ignore(error -> true).build();
        RetryPolicy picky = Probes.THREE.toBuilder().retryOnResult("no"::equals).build();
        Retry.with(picky).time(time).breaker(breaker).run(() -> "no");
        assertThat(breaker.state()).isEqualTo(OPEN);
    }

    @Test
    @Timeout(10)
    void half_open_never_more_calls_pass_than_there_are_trials() throws Exception {
        int threads = 8;
        for (int round = 0; round < 50; round++) {
            CircuitBreaker breaker = CircuitBreaker.builder("api")
                    .failureCount(1)
                    .trialCalls(3)
                    .openFor(ofSeconds(10))
                    .time(time)
                    .build();
            breaker.open();
            time.advance(ofSeconds(10));
            AtomicInteger passed = new AtomicInteger();
            CountDownLatch go = new CountDownLatch(1);
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            for (int i = 0; i < threads; i++) {
                pool.execute(() -> {
                    awaitQuietly(go);
                    for (int call = 0; call < 5; call++) {
                        if (breaker.tryEnter() != REFUSED) {
                            passed.incrementAndGet();
                        }
                    }
                });
            }
            go.countDown();
            pool.shutdown();
            assertThat(pool.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
            assertThat(passed).hasValue(3);
        }
    }

    @Test
    void settings_are_checked_with_rule_and_value() {
        refused(b -> b.failureCount(0), "failureCount must be at least 1, got 0");
        refused(b -> b.failureRate(0), "failureRate must be more than 0 and at most 1, got 0.0");
        refused(b -> b.failureRate(1.1), "failureRate must be more than 0 and at most 1, got 1.1");
        refused(b -> b.minimumCalls(0), "minimumCalls must be at least 1, got 0");
        refused(b -> b.window(0), "window must be at least 1, got 0");
        refused(b -> b.trialCalls(0), "trialCalls must be at least 1, got 0");
        refused(b -> b.openFor(ZERO), "openFor must be longer than zero, got PT0S");
        refused(
                b -> b.window(5).failureCount(6),
                "failureCount must not exceed the window of 5 calls, got 6; the breaker would never open");
        refused(
                b -> b.window(5).failureCount(5).failureRate(0.5),
                "minimumCalls must not exceed the window of 5 calls, got 10; the breaker would never open");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CircuitBreaker.of(" "))
                .withMessage("circuit breaker name must not be blank");
        assertThat(breaker().failureCount(5).window(5).build())
                .hasToString("circuit breaker 'api' (5 failures of the last 5 calls, open for 10s)");
        assertThat(CircuitBreaker.of("x").name()).isEqualTo("x");
    }

    private static void refused(UnaryOperator<CircuitBreaker.Builder> settings, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.apply(CircuitBreaker.builder("api")).build())
                .withMessage(message);
    }

    private CircuitBreaker.Builder breaker() {
        return CircuitBreaker.builder("api").openFor(ofSeconds(10)).time(time).listener(recorder);
    }

    private void fail(CircuitBreaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            breaker.failed(breaker.tryEnter(), down);
        }
    }

    private static void succeed(CircuitBreaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            breaker.succeeded(breaker.tryEnter());
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

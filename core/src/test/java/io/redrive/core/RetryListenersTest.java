package io.redrive.core;

import static io.redrive.core.Probes.THREE;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Probes.Flaky;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The events of listeners, their order, and that a listener cannot disturb a call. */
class RetryListenersTest {

    private final ManualTime time = new ManualTime();
    private final Probes.Recorder recorder = new Probes.Recorder();
    private final Retry retry = Retry.with(THREE).time(time).listener(recorder);
    private final IOException down = new IOException("down");

    @Test
    void a_listener_hears_every_event_of_a_recovery_in_order() throws Exception {
        Failure failure = Failure.thrown(down);
        retry.named("load").call(new Flaky<>("up", down));
        assertThat(recorder.events)
                .containsExactly(
                        new RetryListener.Attempted("load", 1, 3, Optional.of(failure), ZERO),
                        new RetryListener.Retrying("load", 1, 3, ofSeconds(1), failure, ZERO),
                        new RetryListener.Attempted("load", 2, 3, Optional.empty(), ofSeconds(1)),
                        new RetryListener.Succeeded("load", 2, 3, ofSeconds(1)));
    }

    @Test
    void a_listener_hears_every_event_of_an_exhaustion_in_order() {
        Failure failure = Failure.thrown(down);
        retry.run(new Flaky<>("", down, down, down));
        assertThat(recorder.events)
                .containsExactly(
                        new RetryListener.Attempted("", 1, 3, Optional.of(failure), ZERO),
                        new RetryListener.Retrying("", 1, 3, ofSeconds(1), failure, ZERO),
                        new RetryListener.Attempted("", 2, 3, Optional.of(failure), ofSeconds(1)),
                        new RetryListener.Retrying("", 2, 3, ofSeconds(1), failure, ofSeconds(1)),
                        new RetryListener.Attempted("", 3, 3, Optional.of(failure), ofSeconds(2)),
                        new RetryListener.GaveUp("", Reason.MAX_ATTEMPTS_EXCEEDED, 3, 3, failure, ofSeconds(2)));
    }

    @Test
    void listeners_hear_of_a_refused_result_as_a_failure() {
        Retry picky = Retry.with(THREE.toBuilder()
                        .maxAttempts(1)
                        .retryOnResult("no"::equals)
                        .build())
                .listener(recorder)
                .time(time);
        picky.run(() -> "no");
        assertThat(recorder.events)
                .containsExactly(
                        new RetryListener.Attempted("", 1, 1, Optional.of(Failure.result("no")), ZERO),
                        new RetryListener.GaveUp("", Reason.MAX_ATTEMPTS_EXCEEDED, 1, 1, Failure.result("no"), ZERO));
    }

    @Test
    void a_budget_that_refuses_and_a_breaker_that_is_open_are_told() {
        RetryBudget none = RetryBudget.builder("small").reserve(0).share(0).build();
        retry.budget(none).run(new Flaky<>("", down));
        assertThat(recorder.kinds()).containsExactly("Attempted", "BudgetRefused", "GaveUp");
        assertThat(recorder.events.get(1)).isEqualTo(new RetryListener.BudgetRefused("", "small", 1));

        recorder.events.clear();
        CircuitBreaker open = CircuitBreaker.builder("api").time(time).build();
        open.open();
        assertThatThrownBy(() -> retry.breaker(open).call(() -> "never"))
                .isInstanceOf(CircuitOpenException.class)
                .hasMessage("circuit breaker 'api' is open; next trial in 30s");
        assertThat(recorder.kinds()).containsExactly("GaveUp");
        RetryListener.GaveUp refused = (RetryListener.GaveUp) recorder.events.get(0);
        assertThat(refused.reason()).isEqualTo(Reason.CIRCUIT_OPEN);
        assertThat(refused.attempts()).isZero();
        assertThat(refused.failure().type()).isEqualTo("CircuitOpenException");
    }

    @Test
    void callbacks_of_the_policy_hear_their_own_event_alone() {
        List<String> heard = new ArrayList<>();
        RetryPolicy policy = THREE.toBuilder()
                .onRetry(event -> heard.add("retry " + event.attempt() + " in " + event.delay()))
                .onSuccess(event -> heard.add("success after " + event.attempts()))
                .onRetryExhausted(event -> heard.add("exhausted: " + event.reason()))
                .build();
        Retry called = Retry.with(policy).time(time);
        called.run(new Flaky<>("", down));
        called.run(new Flaky<>("", down, down, down));
        called.run(new Flaky<>("", new InterruptedException()));
        assertThat(Thread.interrupted()).isTrue();
        called.run(new Flaky<>("", new OutOfMemoryError()));
        assertThat(heard)
                .containsExactly(
                        "retry 1 in PT1S",
                        "success after 2",
                        "retry 1 in PT1S",
                        "retry 2 in PT1S",
                        "exhausted: max_attempts_exceeded");
        heard.clear();
        Retry.with(policy.toBuilder().build()).time(time).run(() -> "first time");
        assertThat(heard).containsExactly("success after 1");
    }

    @Test
    void listeners_are_told_in_the_order_given_policy_first() {
        List<String> heard = new ArrayList<>();
        RetryPolicy policy =
                THREE.toBuilder().onSuccess(event -> heard.add("policy")).build();
        Retry.with(policy)
                .listener(RetryListener.onSuccess(event -> heard.add("one")))
                .listener(RetryListener.onSuccess(event -> heard.add("two")))
                .run(() -> "");
        assertThat(heard).containsExactly("policy", "one", "two");
    }

    @Test
    void a_listener_that_throws_changes_nothing_and_does_not_silence_the_next() {
        RetryListener broken = new RetryListener() {
            @Override
            public void onAttempt(Attempted event) {
                throw new IllegalStateException("attempt");
            }

            @Override
            public void onRetry(Retrying event) {
                throw new AssertionError("retry");
            }

            @Override
            public void onSuccess(Succeeded event) {
                throw new IllegalStateException("success");
            }

            @Override
            public void onGaveUp(GaveUp event) {
                throw new IllegalStateException("gave up");
            }

            @Override
            public void onBudgetRefused(BudgetRefused event) {
                throw new IllegalStateException("budget");
            }
        };
        RetryBudget one = RetryBudget.builder("one").reserve(1).share(0).build();
        Retry disturbed =
                Retry.with(THREE).time(time).listener(broken).listener(recorder).budget(one);
        assertThat(disturbed.run(new Flaky<>("up", down))).isEqualTo(new RetryResult.Success<>("up", 2, ofSeconds(1)));
        assertThat(disturbed.run(new Flaky<>("", down)))
                .isEqualTo(new RetryResult.Failure<String>(Reason.RETRY_BUDGET_EXHAUSTED, down, 1, ZERO, null));
        assertThat(recorder.kinds())
                .containsExactly(
                        "Attempted", "Retrying", "Attempted", "Succeeded", "Attempted", "BudgetRefused", "GaveUp");
    }

    @Test
    void a_listener_that_hits_an_error_of_the_virtual_machine_is_not_excused() {
        Retry dying = retry.listener(RetryListener.onSuccess(event -> {
            throw new OutOfMemoryError("in a listener");
        }));
        assertThatThrownBy(() -> dying.call(() -> "")).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void a_backoff_that_throws_ends_the_call_with_the_original_failure() {
        IllegalStateException bug = new IllegalStateException("backoff");
        Retry broken = Retry.with(THREE.toBuilder()
                        .backoff(Backoff.custom(attempt -> {
                            throw bug;
                        }))
                        .build())
                .time(time);
        assertThat(broken.run(new Flaky<>("", down)))
                .isEqualTo(new RetryResult.Failure<String>(Reason.NOT_RETRYABLE, down, 1, ZERO, null));
        assertThat(down.getSuppressed()).containsExactly(bug);
        assertThat(broken.run(new Flaky<>("", bug)).attempts()).isEqualTo(1);
        assertThat(bug.getSuppressed()).isEmpty();
    }

    @Test
    void a_retry_without_listeners_never_reads_the_clock_on_success() {
        Time forbidden = new Time() {
            @Override
            public Instant now() {
                throw new AssertionError("read the clock");
            }

            @Override
            public long nanos() {
                throw new AssertionError("read the clock");
            }

            @Override
            public void sleep(Duration duration) {
                throw new AssertionError("slept");
            }

            @Override
            public Scheduled schedule(Duration delay, Runnable task) {
                throw new AssertionError("scheduled");
            }
        };
        assertThat(Retry.with(THREE).time(forbidden).call(() -> "up")).isEqualTo("up");
    }

    @Test
    void describe_shows_the_parts_from_the_outside_in_whatever_the_order_of_the_calls() {
        Retry full = Retry.with(Presets.CONNECTION)
                .timeout(ofSeconds(2))
                .budget(RetryBudget.of("shared"))
                .breaker(CircuitBreaker.of("api"))
                .named("payments");
        assertThat(full.describe())
                .isEqualTo("circuit breaker 'api' (50% failed of the last 100 calls, open for 30s)"
                        + " > retry 'payments': 5 attempts, exponential 5s ×2, max 5m, no jitter"
                        + " > retry budget 'shared' 10% of first attempts"
                        + " > attempt time limit 2s > call");
        assertThat(full).hasToString(full.describe());
        assertThat(Retry.with(Presets.VISIBILITY).describe())
                .isEqualTo("retry: 8 attempts, exponential 250ms ×2, max 1m, full jitter, within 30m > call");
        assertThat(Retry.with(RetryPolicy.noRetry()).describe()).isEqualTo("retry: 1 attempt > call");
        assertThat(full.policy()).isSameAs(Presets.CONNECTION);
    }

    @Test
    void changing_a_retry_leaves_the_original_alone() {
        Retry plain = Retry.with(THREE).time(time);
        plain.listener(recorder).named("other").timeout(ofSeconds(1));
        plain.run(() -> "");
        assertThat(recorder.events).isEmpty();
        assertThat(plain.describe()).doesNotContain("other").doesNotContain("limit");
    }
}

package io.redrive.core;

import static io.redrive.core.Probes.THREE;
import static io.redrive.core.Probes.stepUntilDone;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ending an asynchronous call from outside, and context carried into attempts. */
@Timeout(10)
class RetryAsyncCancelTest {

    private final ManualTime time = new ManualTime();
    private final Probes.Recorder recorder = new Probes.Recorder();
    private final Retry retry = Retry.with(THREE).time(time).listener(recorder);
    private final AtomicInteger runs = new AtomicInteger();
    private final ExecutorService pool = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop_the_pool() {
        pool.shutdownNow();
    }

    @Test
    void cancelled_while_waiting_there_is_no_further_attempt_and_no_timer_left() {
        CompletableFuture<String> future = retry.callAsync(this::down);
        assertThat(time.pending()).isEqualTo(1);
        future.cancel(false);
        assertThat(time.pending()).isZero();
        time.advance(ofSeconds(100));
        assertThat(runs).hasValue(1);
        assertThat(future).isCancelled();
        assertThat(recorder.kinds()).containsExactly("Attempted", "Retrying", "GaveUp");
        assertThat(((RetryListener.GaveUp) recorder.events.get(2)).reason()).isEqualTo(Reason.CANCELLED);
    }

    @Test
    void cancelled_while_in_flight_the_attempt_is_cancelled_too() {
        CompletableFuture<String> attempt = new CompletableFuture<>();
        CompletableFuture<String> future = retry.callAsync(() -> attempt);
        future.cancel(true);
        assertThat(attempt).isCancelled();
        assertThat(recorder.kinds()).containsExactly("GaveUp");
        assertThat(time.pending()).isZero();
    }

    @Test
    void cancelled_while_a_task_runs_its_thread_is_interrupted() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CompletableFuture<String> future = retry.callAsync(
                () -> {
                    started.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                    return "";
                },
                pool);
        started.await();
        future.cancel(true);
        assertThat(interrupted.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(future).isCancelled();
        // The pool's thread is not left interrupted.
        assertThat(pool.submit(() -> Thread.currentThread().isInterrupted()).get())
                .isFalse();
    }

    @Test
    void a_task_cancelled_before_it_starts_never_starts() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        pool.execute(() -> {
            try {
                busy.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        CompletableFuture<Integer> future = retry.callAsync(runs::incrementAndGet, pool);
        future.cancel(true);
        busy.countDown();
        pool.submit(() -> {}).get();
        assertThat(runs).hasValue(0);
    }

    @Test
    void a_time_limit_put_on_the_future_from_outside_stops_the_retries() {
        CompletableFuture<String> future = retry.callAsync(this::down).orTimeout(1, TimeUnit.MILLISECONDS);
        assertThatThrownBy(future::get).hasCauseInstanceOf(TimeoutException.class);
        Probes.await(() -> time.pending() == 0);
        time.advance(ofSeconds(100));
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_value_put_into_the_future_from_outside_stops_the_retries() {
        CompletableFuture<String> future = retry.callAsync(this::down);
        future.complete("never mind");
        time.advance(ofSeconds(100));
        assertThat(runs).hasValue(1);
        assertThat(future).isCompletedWithValue("never mind");
    }

    @Test
    void cancelling_twice_or_after_the_end_tells_no_listener() {
        CompletableFuture<String> done = retry.callAsync(() -> CompletableFuture.completedFuture("up"));
        done.cancel(true);
        CompletableFuture<String> cancelled = retry.callAsync(CompletableFuture::new);
        cancelled.cancel(true);
        cancelled.cancel(true);
        assertThat(recorder.kinds()).containsExactly("Attempted", "Succeeded", "GaveUp");
    }

    @Test
    void a_cancelled_attempt_is_a_failure_like_any_other_for_the_call() {
        CompletableFuture<String> attempt = new CompletableFuture<>();
        CompletableFuture<String> future =
                Retry.with(RetryPolicy.noRetry()).time(time).callAsync(() -> attempt);
        attempt.cancel(true);
        assertThat(future).isCompletedExceptionally();
        assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
    }

    @Test
    void a_stage_that_refuses_to_be_cancelled_does_not_stop_the_end_of_the_call() {
        CompletableFuture<String> future =
                retry.callAsync(() -> new CompletableFuture<String>().minimalCompletionStage());
        future.cancel(true);
        assertThat(recorder.kinds()).containsExactly("GaveUp");
    }

    @Test
    void a_cancelled_trial_call_returns_its_permit_to_the_breaker() {
        CircuitBreaker breaker = CircuitBreaker.builder("api")
                .failureCount(1)
                .trialCalls(1)
                .openFor(ofSeconds(1))
                .time(time)
                .build();
        breaker.open();
        time.advance(ofSeconds(1));
        CompletableFuture<String> trial = retry.breaker(breaker).callAsync(CompletableFuture::new);
        assertThat(breaker.tryEnter()).isEqualTo(CircuitBreaker.REFUSED);
        trial.cancel(true);
        assertThat(breaker.tryEnter()).isNotEqualTo(CircuitBreaker.REFUSED);
    }

    @Test
    void an_open_breaker_fails_the_future_without_an_attempt() {
        CircuitBreaker breaker = CircuitBreaker.builder("api").time(time).build();
        breaker.open();
        CompletableFuture<String> future = retry.breaker(breaker).callAsync(this::down);
        assertThatThrownBy(future::get).hasCauseInstanceOf(CircuitOpenException.class);
        assertThat(retry.breaker(breaker).runAsync(this::down))
                .isCompletedWithValueMatching(result -> result instanceof RetryResult.Failure<String> failure
                        && failure.reason() == Reason.CIRCUIT_OPEN
                        && failure.attempts() == 0);
        assertThat(runs).hasValue(0);
    }

    @Test
    void the_context_is_captured_once_and_put_around_every_attempt_on_another_thread() throws Exception {
        ThreadLocal<String> tenant = new ThreadLocal<>();
        AtomicInteger captures = new AtomicInteger();
        AtomicInteger wraps = new AtomicInteger();
        ContextCarrier carrier = () -> {
            captures.incrementAndGet();
            String captured = tenant.get();
            return work -> () -> {
                wraps.incrementAndGet();
                tenant.set(captured);
                try {
                    work.run();
                } finally {
                    tenant.remove();
                }
            };
        };
        tenant.set("acme");
        List<String> seen = new ArrayList<>();
        CompletableFuture<String> future = retry.context(carrier)
                .callAsync(
                        () -> {
                            seen.add(tenant.get());
                            throw new IOException("down");
                        },
                        pool);
        stepUntilDone(future, time);
        assertThat(seen).containsExactly("acme", "acme", "acme");
        assertThat(captures).hasValue(1);
        assertThat(wraps).hasValue(3);

        seen.clear();
        CompletableFuture<String> staged = retry.context(carrier).callAsync(() -> {
            seen.add(tenant.get());
            return CompletableFuture.failedFuture(new IOException("down"));
        });
        stepUntilDone(staged, time);
        assertThat(seen).containsExactly("acme", "acme", "acme");
        assertThat(captures).hasValue(2);
        tenant.remove();
    }

    @Test
    void a_context_that_cannot_be_restored_ends_the_call_with_its_last_failure() {
        ContextCarrier broken = () -> work -> {
            throw new IllegalStateException("no context");
        };
        CompletableFuture<String> future = retry.context(broken).callAsync(this::down);
        time.advance(ofSeconds(1));
        assertThatThrownBy(future::get).hasCauseInstanceOf(IOException.class);
        assertThat(runs).hasValue(1);
    }

    private CompletableFuture<String> down() {
        runs.incrementAndGet();
        return CompletableFuture.failedFuture(new IOException("down"));
    }
}

package io.redrive.core;

import static io.redrive.core.Probes.THREE;
import static io.redrive.core.Probes.stepUntilDone;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Asynchronous calls; {@link RetryAsyncCancelTest} covers cancellation. */
@Timeout(10)
class RetryAsyncTest {

    private final ManualTime time = new ManualTime();
    private final Retry retry = Retry.with(THREE).time(time);
    private final AtomicInteger runs = new AtomicInteger();
    private final ExecutorService pool = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop_the_pool() {
        pool.shutdownNow();
    }

    @Test
    void a_success_needs_no_timer() {
        CompletableFuture<String> future = retry.callAsync(() -> CompletableFuture.completedFuture("up"));
        assertThat(future).isCompletedWithValue("up");
        assertThat(time.pending()).isZero();
    }

    @Test
    void the_first_attempt_starts_on_the_calling_thread() {
        List<Thread> threads = new ArrayList<>();
        retry.callAsync(() -> {
            threads.add(Thread.currentThread());
            return CompletableFuture.completedFuture("up");
        });
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void failures_are_retried_after_their_waits_and_the_value_comes_in_the_end() throws Exception {
        CompletableFuture<RetryResult<String>> future = retry.runAsync(() -> runs.incrementAndGet() < 3
                ? CompletableFuture.failedFuture(new IOException("down"))
                : CompletableFuture.completedFuture("up"));
        assertThat(runs).hasValue(1);
        time.advance(ofMillis(999));
        assertThat(runs).hasValue(1);
        stepUntilDone(future, time);
        assertThat(future.get()).isEqualTo(new RetryResult.Success<>("up", 3, ofSeconds(2)));
    }

    @Test
    void the_last_failure_comes_without_wrappers_and_with_the_earlier_failures() throws Exception {
        IOException[] failures = {new IOException("1"), new IOException("2"), new IOException("3")};
        CompletableFuture<String> future = retry.callAsync(() -> CompletableFuture.failedFuture(
                new CompletionException(new ExecutionException(failures[runs.getAndIncrement()]))));
        stepUntilDone(future, time);
        assertThatThrownBy(future::get).hasCause(failures[2]);
        assertThat(failures[2].getSuppressed()).hasSize(3).startsWith(failures[0], failures[1]);
    }

    @Test
    void runAsync_tells_how_it_ended_and_does_not_fail() throws Exception {
        IOException down = new IOException("down");
        CompletableFuture<RetryResult<String>> future = retry.runAsync(() -> CompletableFuture.failedFuture(down));
        stepUntilDone(future, time);
        assertThat(future.get())
                .isEqualTo(new RetryResult.Failure<String>(Reason.MAX_ATTEMPTS_EXCEEDED, down, 3, ofSeconds(2), null));
    }

    @Test
    void refused_results_are_retried_and_the_last_result_is_the_value() throws Exception {
        Retry picky = Retry.with(THREE.toBuilder().retryOnResult("no"::equals).build())
                .time(time);
        CompletableFuture<String> value = picky.callAsync(() -> CompletableFuture.completedFuture("no"));
        stepUntilDone(value, time);
        assertThat(value).isCompletedWithValue("no");
        CompletableFuture<RetryResult<String>> result = picky.runAsync(() -> CompletableFuture.completedFuture("no"));
        stepUntilDone(result, time);
        assertThat(result.get())
                .isEqualTo(new RetryResult.Failure<>(Reason.MAX_ATTEMPTS_EXCEEDED, null, 3, ofSeconds(2), "no"));
    }

    @Test
    void a_result_predicate_that_dies_accepts_the_value() {
        Retry dying = Retry.with(THREE.toBuilder()
                        .retryOnResult(value -> {
                            throw new StackOverflowError();
                        })
                        .build())
                .time(time);
        assertThat(dying.callAsync(() -> CompletableFuture.completedFuture("x")))
                .isCompletedWithValue("x");
    }

    @Test
    void a_supplier_that_throws_is_a_failed_attempt() throws Exception {
        CompletableFuture<RetryResult<String>> future = retry.runAsync(() -> {
            if (runs.incrementAndGet() < 2) {
                throw new IllegalStateException("not even started");
            }
            return CompletableFuture.completedFuture("up");
        });
        stepUntilDone(future, time);
        assertThat(future.get()).isEqualTo(new RetryResult.Success<>("up", 2, ofSeconds(1)));
    }

    @Test
    void a_supplier_that_returns_null_is_a_failed_attempt_with_a_clear_message() {
        Supplier<CompletionStage<String>> none = () -> null;
        CompletableFuture<String> future = Retry.with(RetryPolicy.noRetry()).callAsync(none);
        assertThatThrownBy(future::join)
                .hasRootCauseMessage("the operation returned no CompletionStage")
                .hasRootCauseInstanceOf(NullPointerException.class);
    }

    @Test
    void a_failure_that_is_not_retryable_ends_the_call_at_once() {
        Retry none = Retry.with(THREE.toBuilder().retryNone().build()).time(time);
        CompletableFuture<String> future = none.callAsync(() -> CompletableFuture.failedFuture(new IOException("no")));
        assertThat(future).isCompletedExceptionally();
        assertThat(time.pending()).isZero();
    }

    @Test
    void a_blocking_operation_runs_on_the_executor_each_time() throws Exception {
        Thread worker = pool.submit(Thread::currentThread).get();
        List<Thread> threads = new ArrayList<>();
        CompletableFuture<RetryResult<String>> future = retry.runAsync(
                () -> {
                    threads.add(Thread.currentThread());
                    if (runs.incrementAndGet() < 3) {
                        throw new IOException("down");
                    }
                    return "up";
                },
                pool);
        stepUntilDone(future, time);
        assertThat(future.get()).isEqualTo(new RetryResult.Success<>("up", 3, ofSeconds(2)));
        assertThat(threads).containsExactly(worker, worker, worker);
        assertThat(retry.callAsync(() -> "bare", pool).get()).isEqualTo("bare");
    }

    @Test
    void an_executor_that_rejects_is_a_failed_attempt() throws Exception {
        Executor full = task -> {
            runs.incrementAndGet();
            throw new RejectedExecutionException("full");
        };
        CompletableFuture<RetryResult<String>> future = retry.runAsync(() -> "never", full);
        stepUntilDone(future, time);
        assertThat(future.get()).isInstanceOfSatisfying(RetryResult.Failure.class, failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
            assertThat(failure.lastException()).isInstanceOf(RejectedExecutionException.class);
        });
        assertThat(runs).hasValue(3);
    }

    @Test
    void an_attempt_that_takes_too_long_is_cancelled_and_the_next_one_counts() throws Exception {
        List<CompletableFuture<String>> attempts = new ArrayList<>();
        CompletableFuture<RetryResult<String>> future = retry.timeout(ofSeconds(2))
                .runAsync(() -> {
                    CompletableFuture<String> attempt = new CompletableFuture<>();
                    synchronized (attempts) {
                        attempts.add(attempt);
                    }
                    return attempt;
                });
        time.advance(ofSeconds(2));
        assertThat(attempts.get(0)).isCancelled();
        time.advance(ofSeconds(1));
        Probes.await(() -> {
            synchronized (attempts) {
                return attempts.size() == 2;
            }
        });
        attempts.get(1).complete("up");
        assertThat(future.get()).isEqualTo(new RetryResult.Success<>("up", 2, ofSeconds(3)));
        assertThat(time.pending()).isZero();
    }

    @Test
    void running_out_by_time_outs_has_the_reason_timeout() throws Exception {
        Retry once = Retry.with(RetryPolicy.noRetry()).time(time).timeout(ofSeconds(2));
        CompletableFuture<RetryResult<String>> future = once.runAsync(() -> new CompletableFuture<String>());
        time.advance(ofSeconds(2));
        assertThat(future.get()).isInstanceOfSatisfying(RetryResult.Failure.class, failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
            assertThat(failure.lastException()).isInstanceOf(AttemptTimeoutException.class);
        });
    }

    @Test
    void a_late_answer_of_a_timed_out_attempt_changes_nothing() throws Exception {
        // A stage that cannot be cancelled: only the test completes it.
        CompletableFuture<String> hidden = new CompletableFuture<>();
        Retry limited = Retry.with(RetryPolicy.noRetry()).time(time).timeout(ofSeconds(2));
        CompletableFuture<String> future = limited.callAsync(hidden::minimalCompletionStage);
        time.advance(ofSeconds(2));
        hidden.complete("late");
        assertThatThrownBy(future::get).hasCauseInstanceOf(AttemptTimeoutException.class);
    }

    @Test
    void a_timed_out_task_on_an_executor_is_interrupted() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Retry limited = Retry.with(RetryPolicy.noRetry()).time(time).timeout(ofSeconds(2));
        CompletableFuture<String> future = limited.callAsync(
                () -> {
                    started.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                    return "too late";
                },
                pool);
        started.await();
        time.advance(ofSeconds(2));
        assertThat(interrupted.await(5, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(future::get).hasCauseInstanceOf(AttemptTimeoutException.class);
    }

    @Test
    void an_inner_asynchronous_exhaustion_is_not_retried() throws Exception {
        CompletableFuture<String> future = retry.callAsync(() -> retry.callAsync(() -> {
            runs.incrementAndGet();
            return CompletableFuture.failedFuture(new IOException("down"));
        }));
        stepUntilDone(future, time);
        assertThat(future).isCompletedExceptionally();
        assertThat(runs).hasValue(3);
    }

    @Test
    void the_real_timer_wakes_a_call_and_holds_no_thread_meanwhile() throws Exception {
        RetryPolicy quick =
                THREE.toBuilder().backoff(Backoff.fixed(ofMillis(1))).build();
        assertThat(Retry.with(quick)
                        .callAsync(() -> runs.incrementAndGet() < 3
                                ? CompletableFuture.failedFuture(new IOException("down"))
                                : CompletableFuture.completedFuture("up"))
                        .get(5, TimeUnit.SECONDS))
                .isEqualTo("up");
    }
}

package io.redrive.core;

import static io.redrive.core.Probes.THREE;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Interrupts before, during and between attempts: no further attempt, the flag restored, the reason told. */
@Timeout(10)
class RetryInterruptTest {

    private final ManualTime time = new ManualTime();
    private final Retry retry = Retry.with(THREE).time(time);
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void leave_no_interrupt_behind() {
        Thread.interrupted();
    }

    @Test
    void interrupted_before_the_call_the_first_attempt_runs_and_no_other() {
        Thread.currentThread().interrupt();
        RetryResult<String> result = retry.run(this::down);
        assertInterrupted(result, 1);
        assertThat(result)
                .isInstanceOfSatisfying(
                        RetryResult.Failure.class,
                        failure -> assertThat(failure.lastException()).hasMessage("down 1"));
    }

    @Test
    void a_success_leaves_the_flag_as_it_was() throws Exception {
        Thread.currentThread().interrupt();
        assertThat(retry.call(() -> "up")).isEqualTo("up");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void an_operation_that_is_interrupted_ends_the_call() {
        RetryResult<String> result = retry.run(() -> {
            runs.incrementAndGet();
            throw new InterruptedException("in the operation");
        });
        assertInterrupted(result, 1);
    }

    @Test
    void an_operation_that_wraps_its_interrupt_ends_the_call_too() {
        assertThatThrownBy(() -> retry.call(() -> {
                    runs.incrementAndGet();
                    throw new IllegalStateException("wrapped", new InterruptedException());
                }))
                .hasMessage("wrapped");
        assertThat(runs).hasValue(1);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void an_operation_interrupted_at_its_second_attempt_has_no_third() {
        RetryResult<String> result = retry.run(() -> {
            if (runs.incrementAndGet() == 2) {
                throw new InterruptedException();
            }
            throw new IOException("down");
        });
        assertInterrupted(result, 2);
    }

    @Test
    void an_interrupt_in_a_manual_wait_ends_the_call() {
        Thread caller = Thread.currentThread();
        time.schedule(Duration.ofMillis(500), caller::interrupt);
        assertInterrupted(retry.run(this::down), 1);
        assertThat(time.sleeps()).containsExactly(ofSeconds(1));
    }

    @Test
    void an_interrupt_in_a_real_wait_ends_the_call_at_once() throws Exception {
        RetryPolicy hours =
                THREE.toBuilder().backoff(Backoff.fixed(Duration.ofHours(5))).build();
        BlockingQueue<RetryResult<String>> results = new ArrayBlockingQueue<>(1);
        BlockingQueue<Boolean> flags = new ArrayBlockingQueue<>(1);
        CountDownLatch failed = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            results.add(Retry.with(hours).run(() -> {
                failed.countDown();
                return down();
            }));
            flags.add(Thread.currentThread().isInterrupted());
        });
        worker.start();
        failed.await();
        Probes.await(() -> worker.getState() == Thread.State.TIMED_WAITING);
        worker.interrupt();
        RetryResult<String> result = results.poll(5, TimeUnit.SECONDS);
        assertThat(result).isInstanceOfSatisfying(RetryResult.Failure.class, failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.INTERRUPTED);
            assertThat(failure.lastException()).hasMessage("down 1");
        });
        assertThat(flags.poll(5, TimeUnit.SECONDS)).isTrue();
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_wait_of_zero_still_notices_the_interrupt() {
        RetryPolicy atOnce = THREE.toBuilder().backoff(Backoff.none()).build();
        Thread.currentThread().interrupt();
        assertInterrupted(Retry.with(atOnce).run(this::down), 1);
    }

    @Test
    void call_throws_the_failure_and_restores_the_flag() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> retry.call(this::down)).hasMessage("down 1");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void an_interrupted_call_is_told_to_listeners_after_which_the_flag_is_set() {
        AtomicInteger exhausted = new AtomicInteger();
        Probes.Recorder recorder = new Probes.Recorder();
        Retry listened = Retry.with(THREE.toBuilder()
                        .onRetryExhausted(event -> exhausted.incrementAndGet())
                        .build())
                .time(time)
                .listener(recorder);
        Thread.currentThread().interrupt();
        assertInterrupted(listened.run(this::down), 1);
        assertThat(recorder.kinds()).containsExactly("Attempted", "Retrying", "GaveUp");
        assertThat(exhausted).hasValue(0);
    }

    private String down() throws IOException {
        throw new IOException("down " + runs.incrementAndGet());
    }

    private void assertInterrupted(RetryResult<String> result, int attempts) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        RetryResult.Failure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.INTERRUPTED));
        assertThat(result.attempts()).isEqualTo(attempts);
        assertThat(runs).hasValue(attempts);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }
}

package io.redrive.core;

import static io.redrive.core.Probes.THREE;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The time limit of a blocking attempt. */
@Timeout(10)
class RetryTimeoutTest {

    private final ManualTime time = new ManualTime();
    private final Retry retry = Retry.with(THREE).time(time).timeout(ofSeconds(2));
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void leave_no_interrupt_behind() {
        assertThat(Thread.interrupted())
                .as("a late interrupt reached the caller")
                .isFalse();
    }

    @Test
    void an_attempt_that_blocks_is_interrupted_and_the_next_one_starts_afresh() throws Exception {
        Retry real =
                Retry.with(THREE.toBuilder().backoff(Backoff.none()).build()).timeout(ofMillis(20));
        String value = real.call(() -> {
            if (runs.incrementAndGet() == 1) {
                new CountDownLatch(1).await();
            }
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            return "up";
        });
        assertThat(value).isEqualTo("up");
        assertThat(runs).hasValue(2);
    }

    @Test
    void running_out_of_attempts_by_time_outs_has_the_reason_timeout() {
        RetryResult<String> result = retry.run(() -> {
            runs.incrementAndGet();
            time.advance(ofSeconds(3));
            throw new InterruptedException("what blocking code makes of the interrupt");
        });
        assertThat(result).isInstanceOfSatisfying(RetryResult.Failure.class, failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
            assertThat(failure.lastException())
                    .isInstanceOf(AttemptTimeoutException.class)
                    .isInstanceOf(TimeoutException.class)
                    .hasMessage("attempt exceeded its time limit of 2s")
                    .hasCauseInstanceOf(InterruptedException.class);
        });
        assertThat(runs).hasValue(3);
    }

    @Test
    void an_attempt_that_ignores_the_interrupt_and_returns_late_has_timed_out() {
        assertThatThrownBy(() -> retry.call(() -> {
                    runs.incrementAndGet();
                    time.advance(ofSeconds(3));
                    return "too late";
                }))
                .isInstanceOf(AttemptTimeoutException.class)
                .hasNoCause();
        assertThat(runs).hasValue(3);
    }

    @Test
    void an_attempt_within_the_limit_is_left_alone_and_leaves_no_alarm() throws Exception {
        String value = retry.call(() -> {
            time.advance(Duration.ofMillis(1_999));
            return "in time";
        });
        assertThat(value).isEqualTo("in time");
        assertThat(time.pending()).isZero();
    }

    @Test
    void a_failure_within_the_limit_is_the_operation_s_own() {
        assertThatThrownBy(() -> retry.call(() -> {
                    throw new IOException("down");
                }))
                .isInstanceOf(IOException.class);
        assertThat(time.pending()).isZero();
    }

    @Test
    void the_limit_holds_for_each_attempt_not_for_the_call() {
        RetryResult<String> result = retry.run(() -> {
            time.advance(Duration.ofMillis(1_500));
            if (runs.incrementAndGet() < 3) {
                throw new IOException("slow");
            }
            return "up";
        });
        assertThat(result).isEqualTo(new RetryResult.Success<>("up", 3, Duration.ofMillis(6_500)));
    }

    @Test
    void a_time_out_that_the_policy_does_not_allow_is_not_retried() {
        Retry onlyIo = Retry.with(THREE.toBuilder().retryOn(IOException.class).build())
                .time(time)
                .timeout(ofSeconds(2));
        assertThat(onlyIo.run(() -> {
                    runs.incrementAndGet();
                    time.advance(ofSeconds(3));
                    throw new IOException("closed by the interrupt");
                }))
                .isInstanceOfSatisfying(
                        RetryResult.Failure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.NOT_RETRYABLE));
        assertThat(runs).hasValue(1);
    }

    @Test
    void an_interrupt_from_outside_during_a_limited_attempt_is_the_caller_s() {
        RetryResult<String> result = retry.run(() -> {
            runs.incrementAndGet();
            throw new InterruptedException("from outside");
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result)
                .isInstanceOfSatisfying(
                        RetryResult.Failure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.INTERRUPTED));
        assertThat(runs).hasValue(1);
    }

    @Test
    void an_alarm_in_the_very_moment_of_the_end_never_leaks_its_interrupt() {
        RetryPolicy many =
                THREE.toBuilder().maxAttempts(300).backoff(Backoff.none()).build();
        AtomicInteger leaked = new AtomicInteger();
        AtomicInteger timedOut = new AtomicInteger();
        RetryListener betweenAttempts = RetryListener.onRetry(event -> {
            leaked.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
            timedOut.addAndGet(event.failure().type().equals("timeout") ? 1 : 0);
        });
        // The real clock and a limit as short as the attempt: either may win.
        Retry racing = Retry.with(many).timeout(Duration.ofNanos(60_000)).listener(betweenAttempts);
        for (int i = 0; i < 20; i++) {
            racing.run(() -> {
                long until = System.nanoTime() + 60_000;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                throw new IOException("down");
            });
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
        assertThat(leaked).hasValue(0);
        assertThat(timedOut).hasPositiveValue();
    }

    @Test
    void a_limit_must_be_longer_than_zero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> retry.timeout(Duration.ZERO))
                .withMessage("timeout must be longer than zero, got PT0S");
        assertThatIllegalArgumentException().isThrownBy(() -> retry.timeout(null));
        assertThatIllegalArgumentException().isThrownBy(() -> retry.timeout(ofSeconds(-1)));
    }
}

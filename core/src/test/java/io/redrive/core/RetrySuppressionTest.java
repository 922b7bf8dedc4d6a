package io.redrive.core;

import static io.redrive.core.Probes.THREE;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Probes.Flaky;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Suppressed exceptions, nested retries, and exception objects that are thrown repeatedly. */
class RetrySuppressionTest {

    private final ManualTime time = new ManualTime();
    private final Retry retry = Retry.with(THREE).time(time);

    @Test
    void earlier_failures_are_suppressed_in_the_last_with_a_trace_of_the_attempts() {
        IOException first = new IOException("1");
        IOException second = new IOException("2");
        IOException third = new IOException("3");
        RetryResult<String> result = retry.run(new Flaky<>("", first, second, third));
        assertThat(result.attempts()).isEqualTo(3);
        assertThat(third.getSuppressed()).hasSize(3).startsWith(first, second);
        assertThat(third.getSuppressed()[2])
                .isInstanceOf(RetryTrace.class)
                .hasMessage("gave up after 3 attempts in 2s: max_attempts_exceeded")
                .satisfies(trace -> assertThat(trace.getStackTrace()).isEmpty());
    }

    @Test
    void no_more_than_ten_earlier_failures_are_kept() {
        AtomicInteger runs = new AtomicInteger();
        RetryPolicy fifty = THREE.toBuilder().maxAttempts(50).build();
        assertThatThrownBy(() -> Retry.with(fifty).time(time).call(() -> {
                    throw new IOException("" + runs.incrementAndGet());
                }))
                .hasMessage("50")
                .satisfies(e -> assertThat(e.getSuppressed())
                        .hasSize(Suppression.MAX_SUPPRESSED + 1)
                        .extracting(Throwable::getMessage)
                        .startsWith("1", "2", "3")
                        .endsWith("10", "gave up after 50 attempts: max_attempts_exceeded"));
    }

    @Test
    void a_failure_that_is_not_retryable_carries_the_earlier_failures_but_no_trace() {
        IOException first = new IOException("1");
        IllegalStateException second = new IllegalStateException("2");
        Retry onlyIo =
                Retry.with(THREE.toBuilder().retryOn(IOException.class).build()).time(time);
        assertThatThrownBy(() -> onlyIo.call(new Flaky<>("", first, second))).isSameAs(second);
        assertThat(second.getSuppressed()).containsExactly(first);
    }

    @Test
    void an_exception_object_thrown_at_every_attempt_is_retried_and_not_suppressed_in_itself() {
        IOException constant = new IOException("constant");
        for (int call = 0; call < 100; call++) {
            Flaky<String> down = new Flaky<>("", constant, constant, constant);
            assertThatThrownBy(() -> retry.call(down)).isSameAs(constant);
            assertThat(down.runs).as("call " + call).hasValue(3);
        }
        assertThat(constant.getSuppressed()).hasSize(1).allMatch(RetryTrace.class::isInstance);
    }

    @Test
    void exception_objects_that_alternate_do_not_pile_up_in_each_other() {
        IOException one = new IOException("one");
        IOException two = new IOException("two");
        for (int call = 0; call < 100; call++) {
            assertThatThrownBy(() -> retry.call(new Flaky<>("", one, two, one))).isSameAs(one);
            assertThatThrownBy(() -> retry.call(new Flaky<>("", two, one, two))).isSameAs(two);
        }
        assertThat(one.getSuppressed()).hasSize(2).contains(two);
        assertThat(two.getSuppressed()).hasSize(2).contains(one);
    }

    @Test
    void an_exception_object_that_ends_many_calls_does_not_collect_all_their_failures() {
        IOException constant = new IOException("constant");
        for (int call = 0; call < 100; call++) {
            assertThatThrownBy(() -> retry.call(new Flaky<>("", new IOException("a"), new IOException("b"), constant)))
                    .isSameAs(constant);
        }
        assertThat(constant.getSuppressed()).hasSizeLessThanOrEqualTo(Suppression.MAX_SUPPRESSED + 2);
        assertThat(Arrays.stream(constant.getSuppressed()).filter(RetryTrace.class::isInstance))
                .hasSize(1);
    }

    @Test
    void an_exception_object_that_comes_back_after_many_others_is_not_suppressed_in_itself() {
        IOException back = new IOException("back");
        AtomicInteger runs = new AtomicInteger();
        RetryPolicy twenty = THREE.toBuilder().maxAttempts(20).build();
        assertThatThrownBy(() -> Retry.with(twenty).time(time).call(() -> {
                    int run = runs.incrementAndGet();
                    throw run == 1 || run == 20 ? back : new IOException("" + run);
                }))
                .isSameAs(back);
    }

    @Test
    void an_exception_object_that_comes_back_after_a_refused_result_is_not_suppressed_in_itself() {
        IOException back = new IOException("back");
        AtomicInteger runs = new AtomicInteger();
        RetryPolicy picky = THREE.toBuilder().retryOnResult("refused"::equals).build();
        assertThatThrownBy(() -> Retry.with(picky).time(time).call(() -> {
                    if (runs.incrementAndGet() == 2) {
                        return "refused";
                    }
                    throw back;
                }))
                .isSameAs(back);
    }

    @Test
    void suppressed_exceptions_of_the_last_exception_leave_less_room_for_earlier_failures() {
        IOException last = new IOException("last");
        for (int i = 1; i < Suppression.MAX_SUPPRESSED; i++) {
            last.addSuppressed(new IOException("its own " + i));
        }
        IOException first = new IOException("1");
        retry.run(new Flaky<>("", first, new IOException("2"), last));
        assertThat(last.getSuppressed()).hasSize(Suppression.MAX_SUPPRESSED + 1).contains(first);
    }

    @Test
    void an_exception_that_cannot_carry_suppressed_exceptions_is_thrown_all_the_same() {
        IOException first = new IOException("1");
        RuntimeException bare = new RuntimeException("bare", null, false, false) {};
        assertThatThrownBy(() -> retry.call(new Flaky<>("", first, bare, bare))).isSameAs(bare);
    }

    @Test
    void an_inner_exhaustion_is_not_retried_even_when_wrapped() {
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> retry.call(() -> {
                    try {
                        return retry.call(() -> {
                            runs.incrementAndGet();
                            throw new IOException("down");
                        });
                    } catch (IOException e) {
                        throw new IllegalStateException("wrapped", e);
                    }
                }))
                .hasMessage("wrapped");
        assertThat(runs).hasValue(3);
    }

    @Test
    void an_inner_exhaustion_is_retried_when_the_outer_policy_says_so() {
        AtomicInteger runs = new AtomicInteger();
        Retry outer =
                Retry.with(THREE.toBuilder().retryInnerExhaustion().build()).time(time);
        assertThat(outer.run(() -> retry.call(failing(runs))).attempts()).isEqualTo(3);
        assertThat(runs).hasValue(9);
    }

    @Test
    void a_failure_that_an_inner_retry_does_not_retry_is_retried_by_the_outer() {
        AtomicInteger runs = new AtomicInteger();
        Retry inner = Retry.with(THREE.toBuilder().retryNone().build()).time(time);
        assertThat(retry.run(() -> inner.call(failing(runs))).attempts()).isEqualTo(3);
        assertThat(runs).hasValue(3);
    }

    @Test
    void an_inner_call_of_a_single_attempt_is_no_retry_and_so_no_exhaustion() {
        AtomicInteger runs = new AtomicInteger();
        Retry inner = Retry.with(RetryPolicy.noRetry()).time(time);
        assertThat(retry.run(() -> inner.call(failing(runs))).attempts()).isEqualTo(3);
        assertThat(runs).hasValue(3);
    }

    @Test
    void an_inner_exhaustion_thrown_as_an_exception_of_its_own_is_recognised() {
        AtomicInteger runs = new AtomicInteger();
        RetryResult<Object> result = retry.run(() -> retry.run(failing(runs)).orElseThrow());
        assertThat(result)
                .isInstanceOfSatisfying(
                        RetryResult.Failure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.NOT_RETRYABLE));
        assertThat(runs).hasValue(3);
    }

    @Test
    void an_exhaustion_of_an_earlier_call_does_not_count_as_an_inner_one() {
        IOException constant = new IOException("constant");
        retry.run(new Flaky<>("", constant, constant, constant));
        retry.run(new Flaky<>("", new IOException(), new IOException(), new IOException()));
        Flaky<String> again = new Flaky<>("up", constant, constant);
        assertThat(retry.run(again)).isEqualTo(new RetryResult.Success<>("up", 3, ofSeconds(2)));
    }

    @Test
    void an_exhaustion_in_another_thread_does_not_count_as_an_inner_one() throws Exception {
        IOException constant = new IOException("constant");
        retry.run(new Flaky<>("", constant, constant, constant));
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch exhaustedElsewhere = new CountDownLatch(1);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<?> elsewhere = other.submit(() -> {
                underWay.await();
                Retry.with(THREE).time(new ManualTime()).run(new Flaky<>("", constant, constant, constant));
                exhaustedElsewhere.countDown();
                return null;
            });
            AtomicInteger runs = new AtomicInteger();
            RetryResult<String> result = retry.run(() -> {
                if (runs.incrementAndGet() == 1) {
                    underWay.countDown();
                    exhaustedElsewhere.await();
                    throw constant;
                }
                return "up";
            });
            elsewhere.get();
            assertThat(result.isSuccess()).isTrue();
        } finally {
            other.shutdown();
        }
    }

    private static Operation<Object, IOException> failing(AtomicInteger runs) {
        return () -> {
            runs.incrementAndGet();
            throw new IOException("down");
        };
    }
}

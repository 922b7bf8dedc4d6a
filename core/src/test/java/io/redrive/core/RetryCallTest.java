package io.redrive.core;

import static io.redrive.core.Probes.THREE;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Probes.Flaky;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Blocking calls: return values, exceptions and reports. */
class RetryCallTest {

    private final ManualTime time = new ManualTime();
    private final Retry retry = Retry.with(THREE).time(time);

    @Test
    void a_lambda_without_checked_exceptions_needs_no_try() {
        String value = retry.call(() -> "value");
        assertThat(value).isEqualTo("value");
        AtomicInteger runs = new AtomicInteger();
        retry.call(() -> {
            runs.incrementAndGet();
        });
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_call_declares_only_the_checked_exception_of_its_operation() throws IOException {
        assertThat(retry.call(RetryCallTest::readsAFile)).isEqualTo("content");
        retry.call(RetryCallTest::writesAFile);
    }

    private static String readsAFile() throws IOException {
        return "content";
    }

    private static void writesAFile() throws IOException {}

    @Test
    void a_value_may_be_null() throws Exception {
        String value = retry.call(new Flaky<String>(null, new IOException()));
        assertThat(value).isNull();
        assertThat(retry.run(() -> null).isSuccess()).isTrue();
    }

    @Test
    void a_void_call_is_retried_and_throws_the_original() {
        AtomicInteger runs = new AtomicInteger();
        Action<IOException> action = () -> {
            throw new FileNotFoundException("missing " + runs.incrementAndGet());
        };
        assertThatThrownBy(() -> retry.call(action))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage("missing 3");
        assertThat(time.sleeps()).containsExactly(ofSeconds(1), ofSeconds(1));
    }

    @Test
    void errors_are_thrown_as_they_are() {
        AssertionError error = new AssertionError("wrong");
        assertThatThrownBy(() -> retry.call(new Flaky<>("", error, error, error)))
                .isSameAs(error);
        OutOfMemoryError fatal = new OutOfMemoryError("now");
        Flaky<String> dying = new Flaky<>("", fatal);
        assertThatThrownBy(() -> retry.call(dying)).isSameAs(fatal);
        assertThat(dying.runs).hasValue(1);
    }

    @Test
    void run_reports_success_with_attempts_and_time() {
        assertThat(retry.run(new Flaky<>("up", new IOException(), new IOException())))
                .isEqualTo(new RetryResult.Success<>("up", 3, ofSeconds(2)));
    }

    @Test
    void run_reports_a_failure_with_reason_attempts_and_exception() {
        IOException last = new IOException("3");
        RetryResult<String> result = retry.run(new Flaky<>("", new IOException("1"), new IOException("2"), last));
        assertThat(result)
                .isEqualTo(new RetryResult.Failure<String>(Reason.MAX_ATTEMPTS_EXCEEDED, last, 3, ofSeconds(2), null));
    }

    @Test
    void run_never_throws_an_exception_of_the_operation() {
        assertThat(retry.run(new Flaky<>("", new OutOfMemoryError())))
                .isInstanceOfSatisfying(RetryResult.Failure.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.NOT_RETRYABLE);
                    assertThat(failure.attempts()).isEqualTo(1);
                });
    }

    @Test
    void void_variants_report_too() {
        AtomicInteger runs = new AtomicInteger();
        Action<IOException> second = () -> {
            if (runs.incrementAndGet() < 2) {
                throw new IOException();
            }
        };
        assertThat(retry.run(second)).isEqualTo(new RetryResult.Success<Void>(null, 2, ofSeconds(1)));
        runs.set(0);
        assertThat(retry.execute("save", second)).isEqualTo(new RetryResult.Success<Void>(null, 2, ofSeconds(1)));
    }

    @Test
    void execute_runs_under_its_own_name() {
        List<String> names = new ArrayList<>();
        Retry named = retry.listener(RetryListener.onSuccess(event -> names.add(event.name())));
        assertThat(named.execute("load", () -> "x").orElse(null)).isEqualTo("x");
        assertThat(names).containsExactly("load");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> retry.execute(" ", () -> "x"))
                .withMessage("retry name must not be blank");
    }

    @Test
    void results_are_retried_and_the_last_result_is_in_the_outcome() throws Exception {
        Retry picky = Retry.with(THREE.toBuilder()
                        .retryOnResult(value -> (Integer) value < 10)
                        .build())
                .time(time);
        AtomicInteger counter = new AtomicInteger();
        assertThat(picky.run(counter::incrementAndGet))
                .isEqualTo(new RetryResult.Failure<>(Reason.MAX_ATTEMPTS_EXCEEDED, null, 3, ofSeconds(2), 3));
        assertThat(picky.call(counter::incrementAndGet)).isEqualTo(6);
        counter.set(8);
        assertThat(picky.run(counter::incrementAndGet)).isEqualTo(new RetryResult.Success<>(10, 2, ofSeconds(1)));
        counter.set(8);
        assertThat(picky.call(counter::incrementAndGet)).isEqualTo(10);
    }

    @Test
    void an_exception_after_a_refused_result_is_the_final_failure() {
        Retry picky = Retry.with(THREE.toBuilder().retryOnResult("no"::equals).build())
                .time(time);
        AtomicInteger runs = new AtomicInteger();
        RetryResult<String> result = picky.run(() -> {
            if (runs.incrementAndGet() < 3) {
                return "no";
            }
            throw new IOException("third");
        });
        assertThat(result).isInstanceOfSatisfying(RetryResult.Failure.class, failure -> {
            assertThat(failure.lastValue()).isNull();
            assertThat(failure.lastException()).hasMessage("third");
        });
    }

    @Test
    void a_result_predicate_that_throws_accepts_the_value() throws Exception {
        Retry broken = Retry.with(THREE.toBuilder()
                        .retryOnResult(value -> {
                            throw new IllegalStateException("predicate");
                        })
                        .build())
                .time(time);
        assertThat(broken.call(() -> "x")).isEqualTo("x");
        assertThat(time.sleeps()).isEmpty();
    }

    @Test
    void the_time_limit_refuses_a_wait_that_would_end_too_late() {
        RetryPolicy policy = THREE.toBuilder()
                .maxAttempts(10)
                .maxDuration(Duration.ofMillis(3_500))
                .build();
        Flaky<String> down =
                new Flaky<>("", new IOException(), new IOException(), new IOException(), new IOException());
        assertThat(Retry.with(policy).time(time).run(down))
                .isInstanceOfSatisfying(RetryResult.Failure.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.TTL_EXCEEDED);
                    assertThat(failure.attempts()).isEqualTo(4);
                    assertThat(failure.elapsed()).isEqualTo(ofSeconds(3));
                });
    }

    @Test
    void the_time_limit_counts_the_time_of_the_attempts_in_call_and_in_run() {
        RetryPolicy policy =
                THREE.toBuilder().maxAttempts(10).maxDuration(ofSeconds(5)).build();
        AtomicInteger runs = new AtomicInteger();
        Operation<String, IOException> slow = () -> {
            runs.incrementAndGet();
            time.advance(ofSeconds(2));
            throw new IOException("slow");
        };
        assertThatThrownBy(() -> Retry.with(policy).time(time).call(slow)).isInstanceOf(IOException.class);
        assertThat(runs).hasValue(2);
        assertThat(Retry.with(policy).time(time).run(slow).attempts()).isEqualTo(2);
    }

    @Test
    void a_server_s_hint_is_waited_for() throws Exception {
        retry.call(new Flaky<>("", new HttpStatusException(503, "busy", ofSeconds(9))));
        assertThat(time.sleeps()).containsExactly(ofSeconds(9));
    }

    @Test
    void the_random_source_decides_the_jitter() {
        RetryPolicy jittered =
                THREE.toBuilder().maxAttempts(6).jitter(Jitter.full()).build();
        List<List<Duration>> waits = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ManualTime clock = new ManualTime();
            Retry.with(jittered).time(clock).random(Seeds.random(7)).run(() -> {
                throw new IOException();
            });
            waits.add(clock.sleeps());
        }
        assertThat(waits.get(0)).isEqualTo(waits.get(1)).doesNotHaveDuplicates().hasSize(5);
    }

    @Test
    void decorrelated_waits_grow_from_the_wait_before() {
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(50)
                .backoff(Backoff.exponential(ofSeconds(1), ofSeconds(1_000_000)))
                .jitter(Jitter.decorrelated())
                .build();
        Retry.with(policy).time(time).random(Seeds.random(8)).run(() -> {
            throw new IOException();
        });
        Duration previous = ofSeconds(1);
        for (Duration wait : time.sleeps()) {
            assertThat(wait).as(Seeds.replay(previous)).isBetween(ofSeconds(1), previous.multipliedBy(3));
            previous = wait;
        }
        assertThat(time.sleeps()).anySatisfy(wait -> assertThat(wait).isGreaterThan(ofSeconds(3)));
    }

    @Test
    void results_offer_the_value_a_substitute_or_an_exception() {
        IOException cause = new IOException("down");
        RetryResult<String> good = new RetryResult.Success<>("x", 2, ofSeconds(1));
        RetryResult<String> bad = new RetryResult.Failure<>(Reason.TTL_EXCEEDED, cause, 4, ofSeconds(1), null);
        assertThat(good.isSuccess()).isTrue();
        assertThat(bad.isSuccess()).isFalse();
        assertThat(good.orElse("y")).isEqualTo("x");
        assertThat(bad.orElse("y")).isEqualTo("y");
        assertThat(good.orElseThrow()).isEqualTo("x");
        assertThatThrownBy(bad::orElseThrow)
                .isInstanceOfSatisfying(RetryExhaustedException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.TTL_EXCEEDED);
                    assertThat(e.attempts()).isEqualTo(4);
                })
                .hasMessage("call gave up after 4 attempts: ttl_exceeded")
                .hasCause(cause);
        assertThat(new RetryExhaustedException("save", Reason.CANCELLED, 1, null))
                .hasMessage("save gave up after 1 attempt: cancelled");
        assertThat(good.<String>match(s -> s.value() + s.attempts(), f -> "failed"))
                .isEqualTo("x2");
        assertThat(bad.<String>match(s -> "well", f -> f.reason().code())).isEqualTo("ttl_exceeded");
    }
}

package io.redrive.core;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A decision never fails: a mistake in the policy gives up, and the failure of the work stays the error. */
class DecideSafelyTest {

    private static final Decision GIVE_UP = Decision.giveUp(Reason.NOT_RETRYABLE);
    private final IOException down = new IOException("down");

    static Stream<Supplier<Throwable>> mistakes() {
        return FailureReadingTest.everythingThrown();
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void a_predicate_that_throws_gives_up_and_is_suppressed_in_the_failure(Supplier<Throwable> thrown) {
        Throwable mistake = thrown.get();
        RetryPolicy policy =
                RetryPolicy.builder().retryIf(error -> broken(mistake)).build();
        assertThat(policy.decideSafely(first(Failure.thrown(down)))).isEqualTo(GIVE_UP);
        assertThat(down.getSuppressed()).hasSize(1).allMatch(one -> one == mistake);
        assertThat(Thread.interrupted()).isEqualTo(mistake instanceof InterruptedException);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void a_backoff_that_throws_gives_up_and_is_suppressed_in_the_failure(Supplier<Throwable> thrown) {
        Throwable mistake = thrown.get();
        RetryPolicy policy = RetryPolicy.builder()
                .backoff(Backoff.custom(attempt -> broken(mistake) ? ZERO : ZERO))
                .build();
        assertThat(policy.decideSafely(first(Failure.thrown(down)))).isEqualTo(GIVE_UP);
        assertThat(down.getSuppressed()).hasSize(1).allMatch(one -> one == mistake);
        assertThat(policy.decideSafely(first(Failure.kind("busy")))).isEqualTo(GIVE_UP);
        assertThat(Thread.interrupted()).isEqualTo(mistake instanceof InterruptedException);
    }

    @Test
    void a_hint_that_throws_or_is_null_gives_up() {
        IllegalStateException mistake = new IllegalStateException("hint");
        RuntimeException hinting = HostileException.throwing(() -> mistake);
        assertThat(Presets.EVENTS.decideSafely(first(Failure.thrown(hinting)))).isEqualTo(GIVE_UP);
        assertThat(hinting.getSuppressed()).containsExactly(mistake);
        RuntimeException withoutHint = HostileException.ofNulls();
        assertThat(Presets.EVENTS.decideSafely(first(Failure.thrown(withoutHint))))
                .isEqualTo(GIVE_UP);
        assertThat(withoutHint.getSuppressed()[0]).hasMessage("retryAfter() must return an Optional, got null");
        RetryPolicy results = RetryPolicy.builder().retryOnResult(value -> true).build();
        assertThat(results.decideSafely(first(Failure.result(hinting)))).isEqualTo(GIVE_UP);
    }

    @Test
    void a_source_of_jitter_that_throws_gives_up() {
        RandomGenerator random = () -> {
            throw new IllegalStateException("random");
        };
        assertThat(Presets.EVENTS.decideSafely(Attempt.first(Failure.thrown(down), random)))
                .isEqualTo(GIVE_UP);
    }

    @Test
    void a_backoff_of_the_user_s_own_may_be_wrong_in_other_ways() {
        RetryPolicy ofNull = RetryPolicy.builder().backoff(attempt -> null).build();
        assertThat(ofNull.decideSafely(first(Failure.thrown(down)))).isEqualTo(GIVE_UP);
        RetryPolicy negative =
                RetryPolicy.builder().backoff(attempt -> ofSeconds(-1)).build();
        assertThat(negative.decideSafely(first(Failure.thrown(down)))).isEqualTo(new Decision.RetryAfter(ZERO));
        RetryPolicy forEver = RetryPolicy.builder()
                .backoff(attempt -> ofSeconds(Long.MAX_VALUE))
                .jitter(Jitter.none())
                .build();
        assertThat(forEver.decideSafely(first(Failure.thrown(down))))
                .isEqualTo(new Decision.RetryAfter(Backoff.LONGEST));
    }

    @Test
    void an_exception_object_that_is_reused_does_not_collect_mistakes_without_limit() {
        RetryPolicy policy = RetryPolicy.builder()
                .retryIf(error -> broken(new IllegalStateException()))
                .build();
        for (int i = 0; i < 12; i++) {
            policy.decideSafely(first(Failure.thrown(down)));
        }
        assertThat(down.getSuppressed()).hasSize(Suppression.MAX_SUPPRESSED);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void calls_with_a_broken_policy_and_an_unreadable_exception_end_with_that_exception(Supplier<Throwable> thrown) {
        RetryPolicy broken =
                RetryPolicy.builder().retryIf(error -> broken(thrown.get())).build();
        HostileException hostile = HostileException.throwing(thrown);
        ManualTime time = new ManualTime();
        for (RetryPolicy policy : new RetryPolicy[] {broken, Presets.ACTOR}) {
            Retry retry = Retry.with(policy).named("hostile").time(time);
            RetryResult<Object> result = retry.run(() -> {
                throw hostile;
            });
            assertThat(((RetryResult.Failure<Object>) result).lastException() == hostile)
                    .isTrue();
            assertThat(((RetryResult.Failure<Object>) result).reason()).isEqualTo(Reason.NOT_RETRYABLE);
            CompletableFuture<RetryResult<Object>> async =
                    retry.runAsync(() -> CompletableFuture.failedFuture(hostile));
            assertThat(async).isCompleted();
            assertThat(((RetryResult.Failure<Object>) async.join()).lastException() == hostile)
                    .isTrue();
        }
        Thread.interrupted();
    }

    @Test
    void a_hint_above_the_limit_waits_for_the_limit() {
        Failure absurd = Failure.status(503, ofSeconds(Long.MAX_VALUE));
        Failure twoHours = Failure.status(503, ofHours(2));
        assertThat(Presets.EVENTS.maxRetryAfter()).isEqualTo(ofDays(1));
        assertThat(Presets.EVENTS.decide(first(absurd))).isEqualTo(new Decision.RetryAfter(ofDays(1)));
        assertThat(Presets.EVENTS.decide(first(twoHours))).isEqualTo(new Decision.RetryAfter(ofHours(2)));
        RetryPolicy hour = Presets.EVENTS.toBuilder().maxRetryAfter(ofHours(1)).build();
        assertThat(hour.toBuilder().build().decide(first(twoHours))).isEqualTo(new Decision.RetryAfter(ofHours(1)));
        assertThat(hour.retryAfter(absurd)).contains(ofHours(1));
        assertThat(hour.retryAfter(Failure.status(503))).isEmpty();
        RetryPolicy slow = hour.toBuilder()
                .backoff(Backoff.fixed(ofHours(3)))
                .jitter(Jitter.none())
                .build();
        assertThat(slow.decide(first(absurd))).isEqualTo(new Decision.RetryAfter(ofHours(3)));
        RetryPolicy deaf = slow.toBuilder()
                .maxRetryAfter(ZERO)
                .backoff(Backoff.fixed(ofMinutes(1)))
                .build();
        assertThat(deaf.decide(first(absurd))).isEqualTo(new Decision.RetryAfter(ofMinutes(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().maxRetryAfter(ofSeconds(-1)))
                .withMessage("maxRetryAfter must not be negative, got PT-1S");
    }

    private static Attempt first(Failure failure) {
        return Attempt.first(failure, Seeds.random(3));
    }

    private static boolean broken(Throwable mistake) {
        throw Undeclared.<RuntimeException>sneaky(mistake);
    }
}

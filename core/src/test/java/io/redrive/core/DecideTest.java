package io.redrive.core;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class DecideTest {

    private static final RetryPolicy TEN_SECONDS = RetryPolicy.builder()
            .maxAttempts(5)
            .backoff(Backoff.fixed(ofSeconds(10)))
            .jitter(Jitter.none())
            .maxDuration(ofMinutes(1))
            .build();
    private static final Failure DOWN = Failure.thrown(new IOException("down"));

    @Test
    void the_same_attempt_with_the_same_seed_gives_the_same_answer() {
        RandomGenerator random = Seeds.random(10);
        for (Jitter jitter : BackoffPropertiesTest.jitters()) {
            RetryPolicy policy =
                    RetryPolicy.builder().maxAttempts(100).jitter(jitter).build();
            for (int i = 0; i < 200; i++) {
                int number = random.nextInt(1, 120);
                Duration elapsed = ofMillis(random.nextInt(100_000));
                Duration previous = ofMillis(random.nextInt(10_000));
                long seed = random.nextLong();
                Decision one = policy.decide(new Attempt(number, DOWN, elapsed, previous, new SplittableRandom(seed)));
                Decision two = policy.decide(new Attempt(number, DOWN, elapsed, previous, new SplittableRandom(seed)));
                assertThat(one).as(Seeds.replay(jitter)).isEqualTo(two);
            }
        }
    }

    @Test
    void attempts_run_out_at_the_maximum_and_not_before() {
        assertThat(TEN_SECONDS.decide(attempt(4, DOWN, ZERO))).isEqualTo(new Decision.RetryAfter(ofSeconds(10)));
        assertThat(TEN_SECONDS.decide(attempt(5, DOWN, ZERO))).isEqualTo(Decision.giveUp(Reason.MAX_ATTEMPTS_EXCEEDED));
        assertThat(TEN_SECONDS.decide(attempt(6, DOWN, ZERO))).isEqualTo(Decision.giveUp(Reason.MAX_ATTEMPTS_EXCEEDED));
    }

    @Test
    void running_out_by_time_outs_is_called_timeout() {
        Failure timeout = Failure.thrown(new CompletionException(new AttemptTimeoutException(ofSeconds(1))));
        assertThat(TEN_SECONDS.decide(attempt(4, timeout, ZERO))).isInstanceOf(Decision.RetryAfter.class);
        assertThat(TEN_SECONDS.decide(attempt(5, timeout, ZERO))).isEqualTo(Decision.giveUp(Reason.TIMEOUT));
    }

    @Test
    void a_wait_that_ends_exactly_at_the_time_limit_is_taken_and_a_nanosecond_later_refused() {
        Duration latest = ofSeconds(50);
        assertThat(TEN_SECONDS.decide(attempt(1, DOWN, latest))).isEqualTo(new Decision.RetryAfter(ofSeconds(10)));
        assertThat(TEN_SECONDS.decide(attempt(1, DOWN, latest.plus(ofNanos(1)))))
                .isEqualTo(Decision.giveUp(Reason.TTL_EXCEEDED));
        assertThat(TEN_SECONDS.decide(attempt(1, DOWN, ofMinutes(90)))).isEqualTo(Decision.giveUp(Reason.TTL_EXCEEDED));
    }

    @Test
    void the_wait_is_never_shorter_than_the_servers_hint() {
        assertThat(TEN_SECONDS.decide(attempt(1, Failure.status(503, ofSeconds(30)), ZERO)))
                .isEqualTo(new Decision.RetryAfter(ofSeconds(30)));
        assertThat(TEN_SECONDS.decide(attempt(1, Failure.status(503, ofSeconds(3)), ZERO)))
                .isEqualTo(new Decision.RetryAfter(ofSeconds(10)));
        assertThat(TEN_SECONDS.decide(attempt(1, Failure.status(503, ofSeconds(-3)), ZERO)))
                .isEqualTo(new Decision.RetryAfter(ofSeconds(10)));
    }

    @Test
    void jitter_does_not_shorten_a_hint() {
        RetryPolicy policy = RetryPolicy.builder().jitter(Jitter.full()).build();
        for (int seed = 0; seed < 500; seed++) {
            Attempt attempt = new Attempt(1, Failure.status(429, ofMillis(60)), ZERO, ZERO, Seeds.random(seed));
            assertThat(policy.decide(attempt))
                    .as(Seeds.replay(seed))
                    .isInstanceOfSatisfying(
                            Decision.RetryAfter.class,
                            retry -> assertThat(retry.delay()).isBetween(ofMillis(60), ofMillis(100)));
        }
    }

    @Test
    void a_hint_beyond_the_time_limit_ends_the_call_at_once() {
        assertThat(TEN_SECONDS.decide(attempt(1, Failure.status(503, ofMinutes(1)), ZERO)))
                .isEqualTo(new Decision.RetryAfter(ofMinutes(1)));
        assertThat(TEN_SECONDS.decide(attempt(1, Failure.status(503, ofMinutes(1)), ofNanos(1))))
                .isEqualTo(Decision.giveUp(Reason.TTL_EXCEEDED));
    }

    @Test
    void hints_come_from_values_exceptions_their_causes_and_results() {
        HttpStatusException busy = new HttpStatusException(503, "busy", ofSeconds(7));
        HasRetryAfter result = () -> Optional.of(ofSeconds(7));
        assertThat(Failure.thrown(new CompletionException(busy)).hint()).contains(ofSeconds(7));
        assertThat(Failure.thrown(new CircuitOpenException("a", ofSeconds(7))).hint())
                .contains(ofSeconds(7));
        assertThat(Failure.result(result).hint()).contains(ofSeconds(7));
        assertThat(new Failure.Kind("busy", Optional.of(ofSeconds(7))).hint()).contains(ofSeconds(7));
        assertThat(Failure.thrown(new HttpStatusException(503, "busy")).hint()).isEmpty();
        assertThat(DOWN.hint()).isEmpty();
        assertThat(Failure.result("a").hint()).isEmpty();
        assertThat(Failure.status(503).hint()).isEmpty();
    }

    @Test
    void failures_tell_their_type_and_message() {
        assertThat(Failure.thrown(new CompletionException(new IOException("down"))))
                .returns("IOException", Failure::type)
                .returns("java.io.IOException: down", Failure::message);
        assertThat(Failure.status(503)).returns("http_503", Failure::type).returns("HTTP status 503", Failure::message);
        assertThat(Failure.thrown(new CompletionException(new HttpStatusException(429, "slow down"))))
                .returns("http_429", Failure::type);
        assertThat(Failure.kind("timeout")).returns("timeout", Failure::type).returns("timeout", Failure::message);
        assertThat(Failure.result(7))
                .returns("result", Failure::type)
                .returns("result 7 was not accepted", Failure::message);
    }

    @Test
    void an_exception_with_a_kind_has_that_type() {
        class Refusal extends RuntimeException implements HasKind {
            private static final long serialVersionUID = 1L;

            @Override
            public String kind() {
                return "econnrefused";
            }
        }

        assertThat(Failure.thrown(new CompletionException(new Refusal())).type())
                .isEqualTo("econnrefused");
    }

    @Test
    void an_exception_whose_type_is_a_status_or_a_kind_is_told_without_its_class() {
        assertThat(Failure.thrown(new AttemptTimeoutException(Duration.ofSeconds(2))))
                .returns("timeout", Failure::type)
                .returns("attempt exceeded its time limit of 2s", Failure::message);
        assertThat(Failure.thrown(new HttpStatusException(503, "down")).message())
                .isEqualTo("HTTP 503: down");
        assertThat(Failure.thrown(new IOException("down")).message()).isEqualTo("java.io.IOException: down");
    }

    @Test
    void an_anonymous_exception_still_has_a_type() {
        assertThat(Failure.thrown(new IOException("down") {}).type()).isEqualTo("IOException");
    }

    @Test
    void nonsense_is_refused_with_the_rule_and_the_value() {
        RandomGenerator random = Seeds.random(0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Attempt(0, DOWN, ZERO, ZERO, random))
                .withMessage("attempt number must be at least 1, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Attempt(1, DOWN, ofSeconds(-1), ZERO, random))
                .withMessage("elapsed must not be negative, got PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Attempt(1, DOWN, ZERO, ofSeconds(-1), random))
                .withMessage("previousDelay must not be negative, got PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Failure.status(600))
                .withMessage("HTTP status must be between 100 and 599, got 600");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Failure.status(99))
                .withMessage("HTTP status must be between 100 and 599, got 99");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Failure.kind(" "))
                .withMessage("failure kind must not be blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Decision.RetryAfter(ofSeconds(-1)))
                .withMessage("delay must not be negative, got PT-1S");
        assertThatNullPointerException().isThrownBy(() -> Failure.thrown(null)).withMessage("error");
        assertThat(Failure.status(100)).isNotNull();
        assertThat(Failure.status(599)).isNotNull();
    }

    @Test
    void a_decision_matches_one_of_its_two_forms() {
        Decision retry = new Decision.RetryAfter(ofSeconds(1));
        Decision giveUp = Decision.giveUp(Reason.CANCELLED);
        assertThat(retry.<String>match(r -> "retry " + r.delay(), g -> "give up"))
                .isEqualTo("retry PT1S");
        assertThat(giveUp.<String>match(r -> "retry", g -> "give up: " + g.reason()))
                .isEqualTo("give up: cancelled");
    }

    @Test
    void a_reason_is_spelled_in_one_way_and_read_back() {
        assertThat(Reason.values())
                .extracting(Reason::code)
                .containsExactly(
                        "max_attempts_exceeded",
                        "ttl_exceeded",
                        "not_retryable",
                        "retry_budget_exhausted",
                        "circuit_open",
                        "timeout",
                        "cancelled",
                        "interrupted",
                        "invalid_event",
                        "handler_crashed",
                        "poison");
        assertThat(Reason.values()).allSatisfy(reason -> {
            assertThat(Reason.of(reason.code())).isSameAs(reason);
            assertThat(reason).hasToString(reason.code());
        });
        assertThat(Reason.values())
                .filteredOn(Reason::isExhaustion)
                .containsExactly(
                        Reason.MAX_ATTEMPTS_EXCEEDED,
                        Reason.TTL_EXCEEDED,
                        Reason.RETRY_BUDGET_EXHAUSTED,
                        Reason.TIMEOUT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reason.of("tired"))
                .withMessageStartingWith("reason must be one of max_attempts_exceeded, ")
                .withMessageEndingWith("poison; got 'tired'");
    }

    private static Attempt attempt(int number, Failure failure, Duration elapsed) {
        return new Attempt(number, failure, elapsed, ZERO, Seeds.random(0));
    }
}

package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.core.Attempt;
import io.redrive.core.Backoff;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.Presets;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.items.FailureBudget;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.StatusThresholds;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.StageAttempt;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of the specification of item runs, one by one. */
final class Seed001Test {

    private static final RetryPolicy LLM = RetryPolicy.builder()
            .maxAttempts(3)
            .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(30), 2))
            .jitter(0.25)
            .retryOnStatus(429, 500, 502, 503, 504)
            .retryOn(IOException.class)
            .retryOnKind("timeout", "econnrefused")
            .build();

    private final Rig rig = new Rig();

    @Test
    void a_stage_without_a_policy_has_three_attempts_with_a_second_doubling_up_to_a_minute() {
        Stage<String, String> stage = Stage.map("llm_call", s -> s);

        assertThat(stage.policy()).isSameAs(Presets.STAGE);
        assertThat(stage.policy().maxAttempts()).isEqualTo(3);
        assertThat(stage.policy().backoff().delay(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(stage.policy().backoff().delay(2)).isEqualTo(Duration.ofSeconds(2));
        assertThat(stage.policy().backoff().delay(20)).isEqualTo(Duration.ofMinutes(1));
        assertThat(stage.policy().jitter()).isEqualTo(Jitter.factor(0.25));
        assertThat(isRetried(stage.policy(), Failure.thrown(new IllegalArgumentException("anything"))))
                .isTrue();
    }

    @Test
    void a_filter_is_not_retried() {
        assertThat(Stage.filter("short", (String s) -> true).policy().maxAttempts())
                .isEqualTo(1);
    }

    @Test
    void the_delay_after_the_second_attempt_is_two_seconds_on_average() {
        Random random = new Random(1);
        double mean = IntStream.range(0, 100)
                .mapToObj(i -> new Attempt(2, Failure.status(429), Duration.ZERO, Duration.ZERO, random))
                .map(attempt -> (Decision.RetryAfter)
                        LLM.toBuilder().maxAttempts(3).build().decide(attempt))
                .mapToLong(retry -> retry.delay().toMillis())
                .average()
                .orElseThrow();

        assertThat(mean).isBetween(1_800.0, 2_200.0);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 750, 1250",
        "2, 1500, 2500",
        "3, 3000, 5000",
        "5, 12000, 20000",
        "6, 22500, 37500",
        "60, 22500, 37500"
    })
    void delays_double_up_to_the_cap_and_then_spread_by_a_quarter(int attempt, long least, long most) {
        RetryPolicy patient = LLM.toBuilder().maxAttempts(100).build();
        Random random = new Random(attempt);
        List<Long> delays = IntStream.range(0, 1_000)
                .mapToObj(i -> delay(patient, attempt, random).toMillis())
                .toList();

        assertThat(delays).allMatch(delay -> delay >= least && delay <= most);
        // Jitter: samples refused at one time are retried at different times.
        long width = most - least;
        assertThat(Collections.min(delays)).isLessThan(least + width / 10);
        assertThat(Collections.max(delays)).isGreaterThan(most - width / 10);
    }

    @Test
    void a_fixed_delay_stays_and_a_linear_one_grows_to_the_cap() {
        RetryPolicy fixed = exactly(Backoff.fixed(Duration.ofSeconds(1)));
        RetryPolicy linear =
                exactly(Backoff.linear(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(30)));
        Random random = new Random(1);
        for (int attempt : new int[] {1, 2, 3, 29, 30, 31, 99}) {
            assertThat(delay(fixed, attempt, random)).isEqualTo(Duration.ofSeconds(1));
            assertThat(delay(linear, attempt, random)).isEqualTo(Duration.ofSeconds(Math.min(attempt, 30)));
        }
    }

    @Test
    void the_last_attempt_is_followed_by_none() {
        assertThat(LLM.decide(new Attempt(3, Failure.status(429), Duration.ZERO, Duration.ZERO, new Random(1))))
                .isEqualTo(Decision.giveUp(Reason.MAX_ATTEMPTS_EXCEEDED));
    }

    @ParameterizedTest
    @CsvSource({"429, true", "500, true", "502, true", "503, true", "504, true", "400, false", "404, false"})
    void status_codes_are_retried_when_the_stage_lists_them(int code, boolean retried) {
        assertThat(isRetried(LLM, Failure.status(code))).isEqualTo(retried);
    }

    @Test
    void exceptions_are_retried_when_the_stage_lists_their_type() {
        assertThat(isRetried(LLM, Failure.thrown(new ConnectException("reset"))))
                .isTrue();
        assertThat(isRetried(LLM, Failure.thrown(new IllegalArgumentException("malformed"))))
                .isFalse();
    }

    @Test
    void kinds_are_retried_when_the_stage_lists_them() {
        assertThat(isRetried(LLM, Failure.kind("timeout"))).isTrue();
        assertThat(isRetried(LLM, Failure.kind("econnrefused"))).isTrue();
        assertThat(isRetried(LLM, Failure.kind("enoent"))).isFalse();
    }

    @Test
    void all_and_none_are_short_for_everything_and_nothing() {
        RetryPolicy all = LLM.toBuilder().retryAll().build();
        RetryPolicy none = LLM.toBuilder().retryNone().build();
        for (Failure failure :
                List.of(Failure.status(404), Failure.kind("enoent"), Failure.thrown(new IllegalArgumentException()))) {
            assertThat(isRetried(all, failure)).isTrue();
            assertThat(isRetried(none, failure)).isFalse();
        }
    }

    @Test
    void the_audit_trail_shows_two_rate_limits_and_then_a_success() {
        rig.runToEnd(
                Rig.pipeline(Stage.of(
                        "llm_call",
                        null,
                        (s, context) -> context.attempt() < 3
                                ? StageOutcome.failed(Failure.status(429))
                                : StageOutcome.value(s))),
                Rig.numbers(1));

        assertThat(rig.store.archive().attempts("run-1", 0))
                .extracting(
                        StageAttempt::stage,
                        StageAttempt::attempt,
                        a -> a.status().code(),
                        StageAttempt::errorType)
                .containsExactly(
                        tuple("llm_call", 1, "retrying", "http_429"),
                        tuple("llm_call", 2, "retrying", "http_429"),
                        tuple("llm_call", 3, "success", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "95, 5, completed",
        "94, 6, partial_success",
        "50, 50, partial_success",
        "49, 51, failed",
        "0, 1, failed",
        "0, 0, completed",
        "45, 5, partial_success",
        "9500, 500, completed",
        "9499, 501, partial_success",
        "57, 3, completed",
        "19, 1, completed",
        "18, 1, partial_success"
    })
    void the_status_follows_from_the_share_of_tried_samples_that_succeeded(long succeeded, long dead, String status) {
        assertThat(StatusThresholds.STANDARD.statusOf(succeeded, dead).code()).isEqualTo(status);
    }

    @Test
    void thresholds_can_be_set() {
        StatusThresholds strict = new StatusThresholds(1, 0.9);
        assertThat(strict.statusOf(99, 1)).isEqualTo(RunStatus.PARTIAL_SUCCESS);
        assertThat(strict.statusOf(89, 11)).isEqualTo(RunStatus.FAILED);
        assertThatThrownBy(() -> new StatusThresholds(0.5, 0.6)).hasMessageContaining("0 <= partial <= completed <= 1");
    }

    @ParameterizedTest
    @CsvSource({"100, 1000, false", "101, 1000, true", "0, 1000, false", "200, 2000, false", "201, 2000, true"})
    void the_failure_budget_is_exceeded_above_ten_percent_of_all_processed(
            long dead, long processed, boolean exceeded) {
        assertThat(FailureBudget.STANDARD.isExceededBy(dead, processed)).isEqualTo(exceeded);
    }

    @Test
    void shares_are_compared_as_decimals() {
        assertThat(FailureBudget.of(0.29).isExceededBy(29, 100)).isFalse();
        assertThat(FailureBudget.of(0.07).isExceededBy(7, 100)).isFalse();
        assertThat(FailureBudget.of(0.07).isExceededBy(8, 100)).isTrue();
    }

    @Test
    void a_stage_that_fails_half_the_time_loses_about_one_in_eight() {
        Random random = new Random(7);
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.of(
                        "flaky",
                        null,
                        (s, context) -> random.nextBoolean()
                                ? StageOutcome.failed(Failure.status(429))
                                : StageOutcome.value(s))),
                Rig.numbers(1_000));

        Balance balance = end.balance();
        assertThat(balance.in()).isEqualTo(1_000);
        assertThat(balance.succeeded() + balance.dead()).isEqualTo(1_000);
        assertThat(balance.dead()).isBetween(90L, 160L);
        assertThat(rig.store.archive().retries("run-1").get(0)).isBetween(450L, 550L);
        assertThat(rig.store.archive().dead(DeadFilter.ALL, 1_000))
                .hasSize((int) balance.dead())
                .allSatisfy(dead -> assertThat(dead.death().reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED));
    }

    private static RetryPolicy exactly(Backoff backoff) {
        return RetryPolicy.builder()
                .maxAttempts(100)
                .backoff(backoff)
                .jitter(Jitter.none())
                .build();
    }

    private static Duration delay(RetryPolicy policy, int attempt, Random random) {
        Attempt failed = new Attempt(attempt, Failure.status(429), Duration.ZERO, Duration.ZERO, random);
        return ((Decision.RetryAfter) policy.decide(failed)).delay();
    }

    private static boolean isRetried(RetryPolicy policy, Failure failure) {
        return policy.toBuilder().jitter(Jitter.none()).build().decide(Attempt.first(failure, new Random(1)))
                instanceof Decision.RetryAfter;
    }
}

package io.redrive.core;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code policy.explain()}: rows, worst case, warnings, and the table people read. */
class ScheduleTest {

    @Test
    void the_table_shows_every_wait_and_the_worst_case() {
        assertThat(Presets.EVENTS.explain().toString().lines().map(String::stripTrailing))
                .containsExactly(
                        "3 attempts, exponential 1s ×2, max 5m, jitter ±20%",
                        "attempt          base         least          most      cumulative",
                        "      1            1s         800ms          1.2s            1.2s",
                        "      2            2s          1.6s          2.4s            3.6s",
                        "worst case: 3.6s of waiting");
    }

    @Test
    void cumulative_is_the_sum_of_the_longest_waits() {
        Schedule schedule = Presets.CONNECTION.explain();
        assertThat(schedule.rows())
                .extracting(Schedule.Row::cumulative)
                .containsExactly(ofSeconds(5), ofSeconds(15), ofSeconds(35), ofSeconds(75));
        assertThat(schedule.worstCase()).contains(ofSeconds(75));
        assertThat(schedule.warnings()).isEmpty();
    }

    @Test
    void decorrelated_jitter_is_shown_at_its_longest() {
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(5)
                .backoff(Backoff.exponential(ofSeconds(1), ofSeconds(20)))
                .jitter(Jitter.decorrelated())
                .build();
        assertThat(policy.explain().rows())
                .extracting(Schedule.Row::most)
                .containsExactly(ofSeconds(3), ofSeconds(9), ofSeconds(20), ofSeconds(20));
        assertThat(policy.explain().rows()).extracting(Schedule.Row::least).containsOnly(ofSeconds(1));
    }

    @Test
    void one_attempt_has_an_empty_table() {
        assertThat(RetryPolicy.noRetry().explain().toString()).isEqualTo("1 attempt\nworst case: 0ms of waiting\n");
    }

    @Test
    void the_time_limit_bounds_the_worst_case() {
        RetryPolicy limited =
                Presets.CONNECTION.toBuilder().maxDuration(ofSeconds(40)).build();
        assertThat(limited.explain().worstCase()).contains(ofSeconds(40));
        RetryPolicy ample =
                Presets.CONNECTION.toBuilder().maxDuration(ofSeconds(75)).build();
        assertThat(ample.explain().worstCase()).contains(ofSeconds(75));
        assertThat(ample.explain().warnings()).isEmpty();
        RetryPolicy generous =
                Presets.CONNECTION.toBuilder().maxDuration(ofDays(1)).build();
        assertThat(generous.explain().worstCase()).contains(ofSeconds(75));
    }

    @Test
    void attempts_that_never_fit_the_time_limit_are_a_warning() {
        RetryPolicy policy =
                Presets.CONNECTION.toBuilder().maxDuration(ofSeconds(34)).build();
        assertThat(policy.explain().warnings())
                .containsExactly("attempts 4 to 5 do not fit into maxDuration 34s; lower maxAttempts or the delays, or"
                        + " raise maxDuration");
        assertThat(policy.explain().toString()).contains("warning: attempts 4 to 5 do not fit");
        RetryPolicy onlyTheLast =
                Presets.CONNECTION.toBuilder().maxDuration(ofSeconds(74)).build();
        assertThat(onlyTheLast.explain().warnings())
                .containsExactly("attempt 5 does not fit into maxDuration 1m 14s; lower maxAttempts or the delays, or"
                        + " raise maxDuration");
    }

    @Test
    void a_schedule_without_end_is_cut_off_and_says_so() {
        RetryPolicy forever =
                Presets.EVENTS.toBuilder().maxAttempts(Integer.MAX_VALUE).build();
        Schedule schedule = forever.explain();
        assertThat(schedule.rows()).hasSize(Schedule.MAX_ROWS);
        assertThat(schedule.worstCase()).isEmpty();
        assertThat(schedule.warnings()).containsExactly("only the first 1000 of 2147483646 waits are shown");
        assertThat(schedule.toString()).contains("worst case: unlimited");
        RetryPolicy limited = forever.toBuilder().maxDuration(ofDays(365)).build();
        assertThat(limited.explain().worstCase()).contains(ofDays(365));
        assertThat(Presets.EVENTS.toBuilder()
                        .maxAttempts(1_001)
                        .build()
                        .explain()
                        .warnings())
                .isEmpty();
    }

    @Test
    void settings_outside_the_usual_ranges_are_warnings() {
        assertThat(warnings(Backoff.exponential(ofMillis(99), ofSeconds(10)), Jitter.factor(0.5)))
                .containsExactly("initial delay 99ms is outside the usual 100ms to 5s");
        assertThat(warnings(Backoff.exponential(ofMillis(5_001), ofSeconds(10)), Jitter.factor(0.5)))
                .containsExactly("initial delay 5.001s is outside the usual 100ms to 5s");
        assertThat(warnings(Backoff.exponential(ofMillis(100), ofMillis(9_999)), Jitter.factor(0.51)))
                .containsExactly(
                        "max delay 9.999s is outside the usual 10s to 10m",
                        "jitter factor 0.51 is outside the usual 0 to 0.5");
        assertThat(warnings(Backoff.exponential(ofSeconds(5), ofMillis(600_001)), Jitter.full()))
                .containsExactly("max delay 10m 0.001s is outside the usual 10s to 10m");
        assertThat(warnings(Backoff.linear(ofMillis(1), ofMillis(1), ofSeconds(1)), Jitter.full()))
                .containsExactly("max delay 1s is outside the usual 10s to 10m");
        assertThat(warnings(Backoff.exponential(ofSeconds(5), ofMinutes(10)), Jitter.factor(0)))
                .isEmpty();
        assertThat(warnings(Backoff.fixed(ofMillis(1)), Jitter.full())).isEmpty();
    }

    @Test
    void many_attempts_without_jitter_are_a_warning() {
        String warning = "no jitter: callers that fail together will retry together";
        assertThat(noJitter(6, Backoff.fixed(ofSeconds(1)))).containsExactly(warning);
        assertThat(noJitter(5, Backoff.fixed(ofSeconds(1)))).isEmpty();
        assertThat(noJitter(6, Backoff.none())).isEmpty();
    }

    @Test
    void the_longest_delays_do_not_overflow_the_sum() {
        Duration ages = ofSeconds(Long.MAX_VALUE);
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(50)
                .backoff(Backoff.fixed(ages))
                .maxDuration(ages)
                .jitter(Jitter.factor(1))
                .build();
        Schedule schedule = policy.explain();
        assertThat(schedule.worstCase()).contains(Backoff.LONGEST);
        assertThat(schedule.rows()).hasSize(49).allMatch(row -> row.cumulative().equals(Backoff.LONGEST));
    }

    private static List<String> warnings(Backoff backoff, Jitter jitter) {
        return RetryPolicy.builder()
                .backoff(backoff)
                .jitter(jitter)
                .build()
                .explain()
                .warnings();
    }

    private static List<String> noJitter(int attempts, Backoff backoff) {
        return RetryPolicy.builder()
                .maxAttempts(attempts)
                .backoff(backoff)
                .jitter(Jitter.none())
                .build()
                .explain()
                .warnings();
    }
}

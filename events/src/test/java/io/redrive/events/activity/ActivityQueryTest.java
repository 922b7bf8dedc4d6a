package io.redrive.events.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ActivityQueryTest {

    private static final Instant NOW = Instant.parse("2030-01-01T12:34:56Z");

    @Test
    void the_last_hour_is_read_by_the_minute_and_the_last_week_by_the_hour() {
        ActivityQuery hour = ActivityQuery.last(Duration.ofHours(1), NOW);
        assertThat(hour.period()).isEqualTo(ActivityPeriod.MINUTE);
        assertThat(hour.from()).isEqualTo("2030-01-01T11:34:00Z");
        assertThat(hour.slices()).isEqualTo(61);
        ActivityQuery week = ActivityQuery.last(Duration.ofDays(7), NOW);
        assertThat(week.period()).isEqualTo(ActivityPeriod.HOUR);
        assertThat(week.from()).isEqualTo("2029-12-25T12:00:00Z");
    }

    @Test
    void all_that_a_store_keeps_can_be_asked_for_at_once() {
        assertThat(ActivityQuery.last(ActivityPeriod.MINUTE.kept(), NOW).slices())
                .isEqualTo(2_881);
        assertThat(ActivityQuery.last(ActivityPeriod.HOUR.kept(), NOW).slices()).isEqualTo(1_441);
    }

    @Test
    void slices_are_whole_periods_and_no_more_than_asked_for() {
        ActivityQuery query = ActivityQuery.last(Duration.ofHours(1), NOW);
        assertThat(query.inSlices(20).step()).isEqualTo(Duration.ofMinutes(4));
        assertThat(query.inSlices(20).slices()).isEqualTo(16);
        assertThat(query.inSlices(1).slices()).isEqualTo(1);
        assertThat(query.inSlices(1_000)).isEqualTo(query);
        refused(() -> query.inSlices(0), "a query must have at least 1 slice, got 0");
    }

    @Test
    void a_time_that_no_store_keeps_is_refused() {
        for (Duration since : List.of(
                Duration.ZERO,
                Duration.ofHours(-1),
                Duration.ofSeconds(59),
                Duration.ofDays(61),
                Duration.ofSeconds(Long.MAX_VALUE))) {
            refused(
                    () -> ActivityQuery.last(since, NOW),
                    "activity is kept for 60 days and counted by the minute; since must be between 1 minute and 60"
                            + " days, got " + since);
        }
    }

    @Test
    void a_query_without_sense_is_refused() {
        Instant from = Instant.parse("2030-01-01T12:00:00Z");
        refused(
                () -> new ActivityQuery(ActivityPeriod.MINUTE, NOW, NOW.plusSeconds(60)),
                "from must be the beginning of a period of PT1M, got 2030-01-01T12:34:56Z");
        refused(
                () -> new ActivityQuery(ActivityPeriod.MINUTE, from, from),
                "until must be after from, got 2030-01-01T12:00:00Z to 2030-01-01T12:00:00Z");
        for (Duration step : List.of(Duration.ZERO, Duration.ofSeconds(90), Duration.ofMinutes(-1))) {
            refused(
                    () -> new ActivityQuery(ActivityPeriod.MINUTE, from, from.plusSeconds(600), step, "", "~"),
                    "step must be a whole number of periods of PT1M, got " + step);
        }
        refused(
                () -> new ActivityQuery(ActivityPeriod.MINUTE, from, from.plusSeconds(180_060)),
                "a query must have at most 3000 slices, got 3001; take a longer step or a later from");
    }

    @Test
    void reports_and_counts_without_sense_are_refused() {
        Instant minute = Instant.parse("2030-01-01T12:00:00Z");
        NameActivity paid = new NameActivity("order.paid", ActivityTotals.NONE);
        refused(
                () -> new ActivityReport("n", NOW, List.of(), List.of()),
                "minute must be the beginning of a minute, got 2030-01-01T12:34:56Z");
        refused(
                () -> new ActivityReport("n", minute, List.of(paid), List.of(paid, paid)),
                "inHour must have each name once, got 'order.paid' twice");
        refused(
                () -> new NameActivity(" ", ActivityTotals.NONE),
                "name must be 1 to 200 characters, not blank; got ' '");
        refused(() -> new ActivityCounts(0, 0, -1, 0, 0, 0, 0), "done must be at least 0, got -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ActivityReport(" ", minute, List.of(), List.of()))
                .withMessageStartingWith("node must be 1 to 200 characters");
    }

    @Test
    void rates_are_shares_of_what_was_tried() {
        ActivityCounts counts = new ActivityCounts(8, 2, 6, 3, 1, 4, 1);
        assertThat(counts.retryRate()).isEqualTo(0.3);
        assertThat(counts.dedupRate()).isEqualTo(0.2);
        assertThat(counts.batchTimeoutRate()).isEqualTo(0.25);
        assertThat(ActivityCounts.NONE.retryRate()).isZero();
        ActivityCounts huge = new ActivityCounts(Long.MAX_VALUE, 1, Long.MAX_VALUE, 1, 1, 1, 1);
        assertThat(huge.plus(huge).attempts()).isEqualTo(Long.MAX_VALUE);
        assertThat(huge.plus(huge).dedupRate()).isBetween(0.0, 1.0);
    }

    private static void refused(Runnable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call::run).withMessage(message);
    }
}

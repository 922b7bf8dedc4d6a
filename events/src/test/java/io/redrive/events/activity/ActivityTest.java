package io.redrive.events.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ActivityTest {

    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void activity_followed_by_the_next_minutes_is_the_activity_of_both() {
        Activity.Builder first = new Activity.Builder(minutes(0, 2));
        Activity.Builder second = new Activity.Builder(minutes(2, 5));
        Activity.Builder whole = new Activity.Builder(minutes(0, 5));
        for (int minute = 0; minute < 5; minute++) {
            for (String name : List.of("always", minute < 2 ? "early" : "late", NameActivity.OTHER)) {
                NameActivity activity = new NameActivity(name, totals(1 + minute * name.length()));
                (minute < 2 ? first : second).add(at(minute), activity);
                whole.add(at(minute), activity);
            }
        }
        assertThat(first.build().followedBy(second.build())).isEqualTo(whole.build());
    }

    @Test
    void names_beyond_the_limit_are_added_up_as_others() {
        Activity.Builder first = new Activity.Builder(minutes(0, 1));
        IntStream.range(0, ActivityLog.MAX_NAMES)
                .forEach(i -> first.add(START, new NameActivity("name" + i, totals(2))));
        Activity.Builder second = new Activity.Builder(minutes(1, 2));
        second.add(at(1), new NameActivity("name0", totals(3)));
        second.add(at(1), new NameActivity("new1", totals(4)));
        second.add(at(1), new NameActivity("new2", totals(5)));
        Activity both = first.build().followedBy(second.build());
        assertThat(both.names()).hasSize(ActivityLog.MAX_NAMES + 1);
        assertThat(doneOf(both, "name0")).isEqualTo(5);
        assertThat(doneOf(both, NameActivity.OTHER)).isEqualTo(9);
        assertThat(both.total().counts().done()).isEqualTo(2L * ActivityLog.MAX_NAMES + 12);
    }

    @Test
    void activity_of_another_time_or_question_does_not_follow() {
        Activity first = new Activity.Builder(minutes(0, 2)).build();
        assertThatThrownBy(() -> first.followedBy(new Activity.Builder(minutes(3, 4)).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must begin at 2026-01-01T12:02:00Z");
        assertThatThrownBy(() ->
                        first.followedBy(new Activity.Builder(minutes(2, 4).named("a", "b")).build()))
                .hasMessageContaining("the same names");
    }

    private static long doneOf(Activity activity, String name) {
        return activity.names().stream()
                .filter(each -> each.name().equals(name))
                .mapToLong(each -> each.totals().counts().done())
                .sum();
    }

    private static ActivityTotals totals(long done) {
        DurationHistogram durations = DurationHistogram.of(Duration.ofMillis(done));
        return new ActivityTotals(new ActivityCounts(0, 0, done, 0, 0, 0, 0), durations, DurationHistogram.EMPTY);
    }

    private static ActivityQuery minutes(int from, int until) {
        return new ActivityQuery(ActivityPeriod.MINUTE, at(from), at(until));
    }

    private static Instant at(int minute) {
        return START.plus(Duration.ofMinutes(minute));
    }
}

package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityReport;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.events.activity.NameActivity;
import io.redrive.operations.ActivityOperations;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentActivityTest {

    @Test
    void earlier_minutes_are_read_once_a_minute_and_the_newest_for_each_page() {
        ManualTime time = new ManualTime();
        time.advance(Duration.ofHours(5));
        InMemoryEventStore store = new InMemoryEventStore();
        ActivityOperations activity =
                Operations.of(store, new Operator("ann", Role.VIEWER, ""), time).activity();
        RecentActivity recent = new RecentActivity();
        write(store, time.now().minus(Duration.ofMinutes(30)), 5);
        assertThat(done(recent.lastHour(activity, time.now()))).isEqualTo(5);
        write(store, time.now().minus(Duration.ofMinutes(1)), 7);
        assertThat(done(recent.lastHour(activity, time.now()))).isEqualTo(12);
        write(store, time.now().minus(Duration.ofMinutes(20)), 11);
        assertThat(done(recent.lastHour(activity, time.now()))).isEqualTo(12);
        time.advance(Duration.ofMinutes(1));
        assertThat(done(recent.lastHour(activity, time.now()))).isEqualTo(23);
        assertThat(recent.lastHour(activity, time.now()))
                .isEqualTo(activity.read(ActivityQuery.last(Duration.ofHours(1), time.now())));
        assertThat(recent.names(activity, time.now())).containsExactly("order.paid");
    }

    private static void write(InMemoryEventStore store, Instant at, long done) {
        ActivityTotals totals = new ActivityTotals(
                new ActivityCounts(0, 0, done, 0, 0, 0, 0), DurationHistogram.EMPTY, DurationHistogram.EMPTY);
        store.activity()
                .write(new ActivityReport(
                        "node-1",
                        ActivityPeriod.MINUTE.startOf(at),
                        List.of(new NameActivity("order.paid", totals)),
                        List.of()));
    }

    private static long done(Activity activity) {
        return activity.total().counts().done();
    }
}

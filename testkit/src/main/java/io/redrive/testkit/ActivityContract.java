package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.NamePattern;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityRecorder;
import io.redrive.events.activity.ActivityReport;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.events.activity.NameActivity;
import io.redrive.testkit.FaultyStore.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Activity: the counts of all nodes add up, and no count is lost or doubled by a failing call or a crash. */
interface ActivityContract extends StoreUnderTest {

    /** The names of the minutes in {@link #busyNode}. */
    List<String> NAMES = List.of("order.paid", "order.sent", "user.created");

    @Test
    default void activity_is_read_as_it_was_written_by_every_node() {
        StoreDriver on = open();
        ActivityTotals totals = new ActivityTotals(
                new ActivityCounts(1, 2, 3, 4, 5, 6, 7),
                DurationHistogram.of(Duration.ofMillis(3), Duration.ofSeconds(9)),
                DurationHistogram.of(Duration.ofHours(5)));
        Instant minute = minute(on);
        on.store()
                .activity()
                .write(new ActivityReport(
                        "node-1",
                        minute,
                        List.of(new NameActivity("order.paid", totals)),
                        List.of(new NameActivity("order.paid", totals.plus(totals)))));
        Activity minutes = joined(on).activity().read(minutes(on, 1));
        assertThat(minutes.total()).isEqualTo(totals);
        assertThat(joined(on).activity().counts(minutes(on, 1))).isEqualTo(totals.counts());
        assertThat(joined(on).activity().counts(minutes(on, 1).named("a", "b"))).isEqualTo(ActivityCounts.NONE);
        assertThat(minutes.slices()).containsExactly(new Activity.Slice(minute, totals));
        assertThat(minutes.names()).containsExactly(new Activity.OfName("order.paid", totals, List.of(3L)));
        assertThat(joined(on).activity().read(hour(on)).total()).isEqualTo(totals.plus(totals));
    }

    @Test
    default void a_report_that_is_written_again_counts_once() {
        StoreDriver on = open();
        ActivityReport report = report("node-1", minute(on), done("order.paid", 5));
        on.store().activity().write(report);
        on.store().activity().write(report);
        assertThat(doneOf(on.store(), minutes(on, 1))).isEqualTo(5);
        assertThat(doneOf(on.store(), hour(on))).isEqualTo(5);
    }

    @Test
    default void reports_of_several_nodes_add_up() {
        StoreDriver on = open();
        Together.run(4, thread -> {
            ActivityLog mine = joined(on).activity();
            for (int i = 0; i < 5; i++) {
                mine.write(report("node-" + thread, minute(on).plusSeconds(60L * i), done("order.paid", 1 + thread)));
            }
            return null;
        });
        Activity read = on.store().activity().read(minutes(on, 5));
        assertThat(read.total().counts().done()).isEqualTo(5 * (1 + 2 + 3 + 4));
        assertThat(read.slices())
                .extracting(slice -> slice.totals().counts().done())
                .containsExactly(10L, 10L, 10L, 10L, 10L);
    }

    @Test
    default void slices_come_in_order_and_cover_the_whole_time() {
        StoreDriver on = open();
        ActivityLog log = on.store().activity();
        Instant minute = minute(on);
        for (int i : new int[] {5, 0, 3, 6, -1}) {
            log.write(report("node-1", minute.plusSeconds(60L * i), done("order.paid", 10 + i)));
        }
        Activity read = log.read(minutes(on, 6).inSlices(3));
        assertThat(read.slices())
                .extracting(Activity.Slice::start)
                .containsExactly(minute, minute.plusSeconds(120), minute.plusSeconds(240));
        assertThat(read.slices())
                .extracting(slice -> slice.totals().counts().done())
                .as("the end is exclusive")
                .containsExactly(10L, 13L, 15L);
        assertThat(read.names().get(0).done()).containsExactly(10L, 13L, 15L);
    }

    @Test
    default void activity_is_read_by_name() {
        StoreDriver on = open();
        ActivityLog log = on.store().activity();
        log.write(report(
                "node-1",
                minute(on),
                done("order.paid", 1),
                done("order.paid.late", 2),
                done("order-archive.paid", 4),
                done("Order.paid", 8),
                done(NameActivity.OTHER, 16)));
        assertThat(doneOf(on.store(), minutes(on, 1))).isEqualTo(31);
        assertThat(doneOf(on.store(), named(on, "order.*"))).isEqualTo(3);
        assertThat(doneOf(on.store(), named(on, "order.paid"))).isEqualTo(1);
        assertThat(log.read(minutes(on, 1)).names())
                .as("busiest first")
                .extracting(Activity.OfName::name)
                .containsExactly(
                        NameActivity.OTHER, "Order.paid", "order-archive.paid", "order.paid.late", "order.paid");
    }

    @Test
    default void an_answer_has_at_most_a_thousand_names() {
        StoreDriver on = open();
        int names = ActivityLog.MAX_NAMES;
        for (int node = 0; node < 2; node++) {
            List<NameActivity> activity = new ArrayList<>();
            for (int i = 0; i < names; i++) {
                activity.add(done("n" + node + ".name-" + i, 1));
            }
            on.store().activity().write(report("node-" + node, minute(on), activity.toArray(NameActivity[]::new)));
        }
        Activity read = on.store().activity().read(minutes(on, 1));
        assertThat(read.names()).hasSize(names + 1);
        assertThat(read.names().get(0).name()).isEqualTo(NameActivity.OTHER);
        assertThat(read.names().get(0).totals().counts().done()).isEqualTo(names);
        assertThat(read.total().counts().done()).isEqualTo(2L * names);
    }

    @Test
    default void minutes_are_kept_for_two_days_and_hours_for_sixty() {
        StoreDriver on = open();
        ActivityLog log = on.store().activity();
        log.write(report("node-1", minute(on), done("order.paid", 1)));
        ActivityQuery minute = minutes(on, 1);
        ActivityQuery hour = hour(on);
        on.pass(ActivityPeriod.MINUTE.kept());
        assertThat(log.expire(on.time().now())).as("not older than kept").isZero();
        on.pass(Duration.ofSeconds(1));
        assertThat(log.expire(on.time().now())).isEqualTo(1);
        assertThat(doneOf(on.store(), minute)).isZero();
        assertThat(doneOf(on.store(), hour)).isEqualTo(1);
        on.pass(ActivityPeriod.HOUR.kept());
        assertThat(log.expire(on.time().now())).isEqualTo(1);
        assertThat(log.expire(on.time().now())).isZero();
        assertThat(doneOf(on.store(), hour)).isZero();
    }

    @Test
    default void old_activity_expires_in_small_steps() {
        StoreDriver on = open();
        ActivityLog log = on.store().activity();
        int names = 500;
        List<NameActivity> activity = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            activity.add(done("name-" + i, 1));
        }
        for (int i = 0; i < 5; i++) {
            log.write(report("node-1", minute(on).plusSeconds(60L * i), activity.toArray(NameActivity[]::new)));
        }
        on.pass(Duration.ofDays(100));
        assertThat(log.expire(on.time().now())).isEqualTo(ActivityLog.EXPIRED_AT_ONCE + names);
        assertThat(log.expire(on.time().now())).isEqualTo(5 * names - ActivityLog.EXPIRED_AT_ONCE);
        assertThat(log.expire(on.time().now())).isZero();
    }

    @Test
    default void publish_calls_are_counted_by_name() {
        StoreDriver on = open();
        publish(on, "a", "order.paid");
        publish(on, "b", "order.paid");
        publish(on, "a", "order.paid");
        publish(on, "c", "user.created");
        ActivityQuery query = minutes(on, 1);
        on.pass(Duration.ofMinutes(1));
        publish(on, "d", "order.paid");
        Activity read = joined(on).activity().read(query);
        assertThat(read.names()).extracting(Activity.OfName::name).containsExactly("order.paid", "user.created");
        assertThat(read.names().get(0).totals().counts()).isEqualTo(new ActivityCounts(2, 1, 0, 0, 0, 0, 0));
        assertThat(read.total().counts().published()).isEqualTo(3);
    }

    @Test
    default void housekeeping_writes_the_counts_of_publish_calls() {
        StoreDriver on = open();
        publish(on, "a", "order.paid");
        ActivityQuery query = minutes(on, 1);
        on.store().expire(on.time().now());
        assertThat(joined(on).activity().read(query).total().counts().published())
                .as("the minute is not over")
                .isZero();
        on.pass(Duration.ofMinutes(1));
        on.store().expire(on.time().now());
        on.store().expire(on.time().now());
        assertThat(joined(on).activity().read(query).total().counts().published())
                .isEqualTo(1);
    }

    @Test
    default void a_store_that_is_closed_writes_the_counts_of_publish_calls() {
        StoreDriver on = open();
        EventStore publisher = joined(on);
        publisher.publish(List.of(event(on, "a", "order.paid")), on.time().now());
        publisher.close();
        assertThat(on.store().activity().read(minutes(on, 1)).total().counts().published())
                .isEqualTo(1);
    }

    @Test
    default void any_write_may_fail_before_it_took_effect_and_no_count_is_lost_or_doubled() {
        assertThat(failEachCall(Moment.BEFORE)).isEqualTo(4);
    }

    @Test
    default void any_write_may_fail_after_it_took_effect_and_no_count_is_lost_or_doubled() {
        assertThat(failEachCall(Moment.AFTER)).isEqualTo(4);
    }

    @Test
    default void a_crash_after_any_write_loses_only_what_was_not_written() {
        for (int written = 1; written <= 4; written++) {
            StoreDriver on = open();
            ActivityRecorder recorder = new ActivityRecorder("node-1@run-1");
            for (int minute = 0; minute < written; minute++) {
                busyNode(recorder, on, minute);
                recorder.write(on.store().activity(), minute(on).plusSeconds(60L * minute + 60));
            }
            busyNode(recorder, on, written);
            EventStore after = reopened(on);
            assertThat(doneOf(after, minutes(on, 10))).isEqualTo(3L * written);
            ActivityRecorder next = new ActivityRecorder("node-1@run-2");
            busyNode(next, on, written);
            next.writeAll(after.activity());
            assertThat(doneOf(after, minutes(on, 10))).isEqualTo(3L * written + 3);
            assertThat(doneOf(after, hour(on))).isEqualTo(3L * written + 3);
        }
    }

    /** Returns the number of runs with a failing call. */
    private int failEachCall(Moment moment) {
        for (int call = 1; call < FaultContract.MAX_CALLS; call++) {
            StoreDriver on = open();
            FaultyStore faulty = FaultyStore.failing(on.store(), call, moment);
            ActivityRecorder recorder = new ActivityRecorder("node-1");
            for (int minute = 0; minute < 4; minute++) {
                busyNode(recorder, on, minute);
                write(recorder, faulty, minute(on).plusSeconds(60L * minute + 60));
            }
            write(recorder, faulty, minute(on).plusSeconds(300));
            Activity read = on.store().activity().read(minutes(on, 10));
            assertThat(read.total().counts().done()).isEqualTo(12);
            assertThat(read.total().latency().count()).isEqualTo(12);
            assertThat(read.names()).extracting(Activity.OfName::name).containsExactlyElementsOf(NAMES);
            assertThat(doneOf(on.store(), hour(on))).isEqualTo(12);
            if (!faulty.hasFailed()) {
                return call - 1;
            }
        }
        throw new AssertionError("the recorder makes more than " + FaultContract.MAX_CALLS + " calls");
    }

    private static void write(ActivityRecorder recorder, EventStore store, Instant now) {
        try {
            recorder.write(store.activity(), now);
        } catch (FaultyStore.Fault fault) {
            // The counts stay in the recorder; the next minute writes them.
        }
    }

    private static void busyNode(ActivityRecorder recorder, StoreDriver on, int minute) {
        Instant at = minute(on).plusSeconds(60L * minute + 30);
        NAMES.forEach(name -> recorder.done(name, Duration.ofMillis(7), at));
    }

    private static void publish(StoreDriver on, String id, String name) {
        on.publish(List.of(event(on, id, name)));
    }

    private static Event event(StoreDriver on, String id, String name) {
        return Event.named(name).id(id).source("shop").time(on.time()).build();
    }

    private static NameActivity done(String name, long count) {
        return new NameActivity(
                name,
                new ActivityTotals(
                        new ActivityCounts(0, 0, count, 0, 0, 0, 0), DurationHistogram.EMPTY, DurationHistogram.EMPTY));
    }

    private static ActivityReport report(String node, Instant minute, NameActivity... activity) {
        return new ActivityReport(node, minute, List.of(activity), List.of(activity));
    }

    private static long doneOf(EventStore store, ActivityQuery query) {
        return store.activity().read(query).total().counts().done();
    }

    private static Instant minute(StoreDriver on) {
        return ActivityPeriod.MINUTE.startOf(on.time().now());
    }

    private static ActivityQuery minutes(StoreDriver on, int count) {
        Instant from = minute(on);
        return new ActivityQuery(ActivityPeriod.MINUTE, from, from.plus(Duration.ofMinutes(count)));
    }

    private static ActivityQuery named(StoreDriver on, String text) {
        NamePattern pattern = new NamePattern(text);
        return minutes(on, 1).named(pattern.lowest(), pattern.beyond());
    }

    private static ActivityQuery hour(StoreDriver on) {
        Instant from = ActivityPeriod.HOUR.startOf(on.time().now());
        return new ActivityQuery(ActivityPeriod.HOUR, from, from.plus(Duration.ofHours(1)));
    }
}

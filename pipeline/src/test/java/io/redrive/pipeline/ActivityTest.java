package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveRequest;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.testkit.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A pipeline counts what it does to events, by name, and writes the counts once a minute. */
class ActivityTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Rig rig = new Rig();

    @Test
    void the_ends_of_events_are_counted_by_name() {
        Pipeline pipeline = rig.pipeline()
                .on("order.paid", event -> rig.time.advance(Duration.ofMillis(40)))
                .on("order.sent", event -> {
                    throw new IllegalStateException("broken");
                })
                .build();
        pipeline.publish(rig.events("order.paid", 3));
        pipeline.publish(rig.events("order.sent", 1));
        rig.run(pipeline, Duration.ofSeconds(5), Duration.ofSeconds(1));
        rig.run(pipeline, MINUTE, MINUTE);
        Activity read = read(rig.store);
        assertThat(of(read, "order.paid").counts()).isEqualTo(new ActivityCounts(3, 0, 3, 0, 0, 1, 0));
        assertThat(of(read, "order.sent").counts()).isEqualTo(new ActivityCounts(1, 0, 0, 2, 1, 3, 0));
        assertThat(of(read, "order.paid").handlerTime().count()).isEqualTo(3);
        assertThat(of(read, "order.paid").handlerTime().percentile(0.5).toMillis())
                .isCloseTo(40, within(4L));
        assertThat(of(read, "order.paid").latency().count()).isEqualTo(3);
        assertThat(of(read, "order.sent").handlerTime().count()).isEqualTo(3);
        assertThat(of(read, "order.sent").latency().count()).as("never done").isZero();
    }

    @Test
    void a_batch_that_ran_into_the_time_limit_is_counted() {
        Duration tooLong = Profile.STANDARD.timeLimit().plusSeconds(1);
        Pipeline pipeline = rig.pipeline()
                .onBatch("order.*", batch -> {
                    rig.time.advance(tooLong);
                    Thread.currentThread().interrupt();
                    throw new InterruptedException();
                })
                .build();
        pipeline.publish(rig.events("order.paid", 5));
        rig.run(pipeline, Duration.ofSeconds(3), Duration.ofSeconds(3));
        pipeline.close();
        ActivityCounts counts = read(rig.store).total().counts();
        assertThat(counts.batches()).isPositive();
        assertThat(counts.batchTimeouts())
                .isEqualTo(rig.heard.batches.stream()
                        .filter(batch -> batch.outcome() == PipelineListener.BatchOutcome.TIMEOUT)
                        .count());
    }

    @Test
    void an_orderly_stop_writes_the_minute_that_is_not_over() {
        Pipeline pipeline = rig.pipeline().on("order.paid", event -> {}).build();
        pipeline.publish(rig.events("order.paid", 2));
        pipeline.drain();
        assertThat(read(rig.store).total().counts().done()).isZero();
        pipeline.close();
        assertThat(read(rig.store).total().counts().done()).isEqualTo(2);
    }

    @Test
    void a_crash_loses_only_the_minute_that_was_not_written() {
        Pipeline crashed = rig.pipeline().on("order.paid", event -> {}).build();
        crashed.publish(rig.events("order.paid", 2));
        rig.run(crashed, MINUTE, MINUTE);
        rig.run(crashed, MINUTE, MINUTE);
        crashed.publish(rig.events("order.paid", 4));
        crashed.drain();
        Pipeline next = rig.pipeline().on("order.paid", event -> {}).build();
        next.publish(rig.events("order.paid", 1));
        next.drain();
        next.close();
        assertThat(read(rig.store).total().counts().done()).isEqualTo(3);
        assertThat(read(rig.store, ActivityPeriod.HOUR).total().counts().done()).isEqualTo(3);
    }

    @Test
    void two_nodes_with_one_name_replace_no_count_of_each_other() {
        for (int i = 0; i < 2; i++) {
            Pipeline pipeline = rig.pipeline().on("order.paid", event -> {}).build();
            pipeline.publish(rig.events("order.paid", 1));
            pipeline.drain();
            pipeline.close();
        }
        assertThat(read(rig.store).total().counts().done()).isEqualTo(2);
    }

    @Test
    void a_redriven_event_has_no_latency() {
        boolean[] broken = {true};
        Pipeline pipeline = rig.pipeline()
                .handle("order.paid", event -> broken[0] ? Outcome.dead("broken") : Outcome.done())
                .build();
        pipeline.publish(rig.events("order.paid", 1));
        pipeline.drain();
        broken[0] = false;
        rig.time.advance(Duration.ofHours(3));
        rig.store.deadLetters().redrive(new RedriveRequest(LetterFilter.ALL, 10, "b", "ann", false, rig.time.now()));
        pipeline.drain();
        pipeline.close();
        ActivityTotals totals = read(rig.store).total();
        assertThat(totals.counts().dead()).isEqualTo(1);
        assertThat(totals.counts().done()).isEqualTo(1);
        assertThat(totals.latency().count()).isZero();
    }

    @Test
    void activity_that_cannot_be_written_waits_and_is_not_tried_in_every_step() {
        int[] tried = {0};
        boolean[] failing = {true};
        EventStore store = new ForwardingStore(rig.store) {
            @Override
            protected <T> T forward(String call, Supplier<T> action) {
                if (call.equals("write activity")) {
                    tried[0]++;
                    if (failing[0]) {
                        throw new IllegalStateException("no table");
                    }
                }
                return super.forward(call, action);
            }
        };
        Pipeline pipeline = rig.pipelineOn(store).on("order.paid", event -> {}).build();
        pipeline.publish(rig.events("order.paid", 2));
        pipeline.drain();
        rig.time.advance(MINUTE);
        assertThatThrownBy(pipeline::drain).hasMessage("no table");
        pipeline.publish(rig.events("order.paid", 1));
        for (int i = 0; i < 9; i++) {
            rig.time.advance(Duration.ofSeconds(1));
            pipeline.drain();
        }
        assertThat(rig.stats().ready()).as("events flow meanwhile").isZero();
        assertThat(tried[0]).isEqualTo(1);
        failing[0] = false;
        rig.time.advance(MINUTE);
        pipeline.drain();
        assertThat(read(rig.store).total().counts().done()).isEqualTo(3);
        assertThat(tried[0]).isEqualTo(3);
    }

    @Test
    void old_activity_is_removed() {
        Pipeline pipeline = rig.pipeline().on("order.paid", event -> {}).build();
        pipeline.publish(rig.events("order.paid", 1));
        pipeline.drain();
        rig.run(pipeline, MINUTE, MINUTE);
        ActivityQuery minutes = query(ActivityPeriod.MINUTE);
        assertThat(rig.store.activity().read(minutes).total().counts().done()).isEqualTo(1);
        rig.run(pipeline, Duration.ofDays(3), Duration.ofDays(1));
        assertThat(rig.store.activity().read(minutes).total().counts().done()).isZero();
    }

    @Test
    void the_alerts_of_a_store_follow_the_counts_of_all_nodes() {
        ActivityCounts counts = new ActivityCounts(80, 20, 890, 100, 10, 95, 5);
        assertThat(StoreAlert.of(counts, new LetterTally(100, 0), AlertThresholds.STANDARD))
                .as("a value at its threshold raises nothing")
                .containsExactly(
                        new StoreAlert(Alerts.Kind.RETRY_RATE, false, 0.1, 0.1),
                        new StoreAlert(Alerts.Kind.DEAD_LETTERS, false, 100, 100),
                        new StoreAlert(Alerts.Kind.BATCH_TIMEOUT_RATE, true, 5 / 95.0, 0.05),
                        new StoreAlert(Alerts.Kind.DEDUP_RATE, false, 0.2, 0.2),
                        new StoreAlert(Alerts.Kind.REGRESSED_CAUSES, false, 0, 0));
        assertThat(StoreAlert.of(
                        counts.plus(new ActivityCounts(0, 1, 0, 1, 0, 0, 0)),
                        new LetterTally(101, 1),
                        AlertThresholds.STANDARD))
                .allMatch(StoreAlert::raised);
    }

    @Test
    void rates_of_few_samples_raise_no_alert() {
        List<StoreAlert> alerts =
                StoreAlert.of(new ActivityCounts(0, 19, 0, 19, 0, 19, 19), LetterTally.NONE, AlertThresholds.STANDARD);
        assertThat(alerts).noneMatch(StoreAlert::raised).allMatch(alert -> alert.value() == 0);
    }

    private ActivityQuery query(ActivityPeriod period) {
        return new ActivityQuery(
                period,
                period.startOf(rig.time.now().minus(Duration.ofHours(4))),
                rig.time.now().plus(Duration.ofHours(1)));
    }

    private Activity read(EventStore store) {
        return read(store, ActivityPeriod.MINUTE);
    }

    /** Reads all that was counted, also what the store has counted and not written. */
    private Activity read(EventStore store, ActivityPeriod period) {
        rig.store.close();
        return store.activity().read(query(period));
    }

    private static ActivityTotals of(Activity read, String name) {
        return read.names().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .map(Activity.OfName::totals)
                .orElseThrow();
    }
}

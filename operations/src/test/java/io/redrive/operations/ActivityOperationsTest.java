package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityRecorder;
import io.redrive.pipeline.AlertThresholds;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.StoreAlert;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ActivityOperationsTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final StoredOperations operations = Operations.of(store, Operator.named("ann", Role.VIEWER), time);
    private final ActivityOperations activity = operations.activity();

    private void node(String name, int done, int retried) {
        ActivityRecorder recorder = new ActivityRecorder(name);
        for (int i = 0; i < done; i++) {
            recorder.done("order.paid", time.now());
        }
        for (int i = 0; i < retried; i++) {
            recorder.retried("order.paid", time.now());
        }
        recorder.writeAll(store.activity());
    }

    /** The present minute is not read, because nodes write it when it is over. */
    private void nextMinute() {
        time.advance(Duration.ofMinutes(1));
    }

    @Test
    void the_activity_of_all_nodes_is_added_up() {
        node("node-1", 3, 0);
        node("node-2", 4, 1);
        assertThat(activity.read(ActivityQuery.last(
                                Duration.ofHours(1), time.now().plusSeconds(60)))
                        .total()
                        .counts()
                        .attempts())
                .isEqualTo(8);
    }

    @Test
    void an_alert_is_raised_by_nodes_that_are_each_too_quiet_to_raise_it() {
        node("node-1", 10, 4);
        nextMinute();
        assertThat(activity.alerts()).noneMatch(StoreAlert::raised);
        node("node-2", 10, 4);
        nextMinute();
        assertThat(activity.alerts().get(0)).isEqualTo(new StoreAlert(Alerts.Kind.RETRY_RATE, true, 8 / 28.0, 0.1));
        time.advance(Duration.ofMinutes(3));
        assertThat(activity.alerts().get(0).raised()).isTrue();
        time.advance(Duration.ofMinutes(2));
        assertThat(activity.alerts()).as("the window has passed").noneMatch(StoreAlert::raised);
    }

    @Test
    void a_window_shorter_than_a_minute_takes_the_minute() {
        node("node-1", 10, 40);
        nextMinute();
        AlertThresholds shortWindow = AlertThresholds.STANDARD.withWindow(Duration.ofSeconds(10));
        assertThat(operations.withAlerts(shortWindow).activity().alerts().get(0).raised())
                .isTrue();
    }

    @Test
    void thresholds_that_change_hold_from_the_next_look_on() {
        AtomicReference<AlertThresholds> inForce = new AtomicReference<>(AlertThresholds.STANDARD);
        ActivityOperations following = operations.withAlerts(inForce::get).activity();
        node("node-1", 36, 4);
        nextMinute();
        assertThat(following.alerts()).noneMatch(StoreAlert::raised);
        inForce.set(AlertThresholds.STANDARD.withRetryRate(0.05));
        assertThat(following.alerts().get(0)).isEqualTo(new StoreAlert(Alerts.Kind.RETRY_RATE, true, 0.1, 0.05));
    }
}

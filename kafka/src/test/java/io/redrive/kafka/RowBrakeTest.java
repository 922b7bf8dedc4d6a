package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The brake on rows. */
final class RowBrakeTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();

    @Test
    void rows_per_second_are_limited_after_a_burst() {
        RowBrake brake = new RowBrake(store, 10, 1_000);
        assertThat(brake.allow(80, time.now())).isEqualTo(50);
        assertThat(brake.allow(1, time.now())).isZero();
        time.advance(Duration.ofSeconds(2));
        assertThat(brake.allow(80, time.now())).isEqualTo(20);
    }

    @Test
    void dead_letters_pass_and_use_up_the_allowance() {
        RowBrake brake = new RowBrake(store, 10, 1_000);
        brake.count(70, time.now());
        time.advance(Duration.ofSeconds(2));
        assertThat(brake.allow(5, time.now())).isZero();
        time.advance(Duration.ofSeconds(1));
        assertThat(brake.allow(5, time.now())).isEqualTo(5);
    }

    @Test
    void a_full_store_takes_no_further_rows_until_it_has_room() {
        RowBrake brake = new RowBrake(store, 100, 3);
        store.publish(List.of(event("a"), event("b")), time.now());
        assertThat(brake.allow(5, time.now())).isEqualTo(1);
        assertThat(brake.allow(5, time.now())).isZero();
        store.cancel("a", null, time.now());
        time.advance(Duration.ofSeconds(1));
        assertThat(brake.allow(5, time.now())).isEqualTo(2);
    }

    private Event event(String id) {
        return Event.named("order.paid").id(id).source("test").time(time).build();
    }
}

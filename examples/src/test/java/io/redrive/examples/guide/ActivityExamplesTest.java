package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.StoreAlert;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The snippet of activity.md. */
final class ActivityExamplesTest {

    private final ManualTime time = new ManualTime();
    private final EventStore store = new InMemoryEventStore();

    @Test
    void activity_can_be_read_in_code() {
        try (Pipeline pipeline = Pipeline.on(store)
                .on("order.*", event -> {})
                .executor(Runnable::run)
                .time(time)
                .build()) {
            pipeline.publish(Event.named("order.paid")
                    .source("shop")
                    .correlationId("order-17")
                    .time(time)
                    .build());
            pipeline.drain();
        }
        time.advance(Duration.ofMinutes(1));
        // snippet: activity-in-code
        Operations operations = Operations.of(store, Operator.named("ada", Role.VIEWER), time);

        Activity lastHour = operations.activity().read(ActivityQuery.last(Duration.ofHours(1), time.now()));
        long done = lastHour.total().counts().done();
        Duration slow = lastHour.total().handlerTime().percentile(0.95);

        List<StoreAlert> alerts = operations.activity().alerts();
        // end
        assertThat(done).isEqualTo(1);
        assertThat(slow).isLessThan(Duration.ofSeconds(1));
        assertThat(alerts).isNotEmpty().noneMatch(StoreAlert::raised);
    }
}

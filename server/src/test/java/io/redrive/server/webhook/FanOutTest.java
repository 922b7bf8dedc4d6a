package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FanOutTest {

    private final ManualTime time = new ManualTime();
    private final EventStore store = new InMemoryEventStore();

    private static RouteTable routes(int number) {
        Map<String, Map<String, Object>> routes = new HashMap<>();
        for (int i = 0; i < number; i++) {
            routes.put("r" + i, Map.of("events", "order.*", "url", "https://example.com/", "signature", "none"));
        }
        return DeliveryBench.settings(routes).routes();
    }

    private Pipeline pipeline(RouteTable table) {
        return Pipeline.on(store)
                .time(time)
                .executor(Runnable::run)
                .onBatch("order.*", new FanOut(() -> table, store, time))
                .build();
    }

    private Event order(String id) {
        return DeliveryBench.order(id).time(time).build();
    }

    @Test
    void an_event_reaches_more_routes_than_one_call_publishes() {
        int routes = EventStore.MAX_PUBLISH + 1;
        try (Pipeline pipeline = pipeline(routes(routes))) {
            pipeline.publish(order("o-1"));
            pipeline.drain();
        }
        assertThat(store.stats(time.now()).ready()).isEqualTo(routes);
        assertThat(store.stats(time.now()).dead()).isZero();
    }

    @Test
    void deliveries_go_before_events_that_were_published_later() {
        try (Pipeline pipeline = pipeline(routes(1))) {
            pipeline.publish(order("first"));
            time.advance(Duration.ofSeconds(1));
            Event second = order("second");
            time.advance(Duration.ofSeconds(1));
            pipeline.drain();
            store.publish(List.of(second), time.now());
        }
        ClaimRequest request = new ClaimRequest("test", Lane.DOMAIN, 10, false, Duration.ofSeconds(30), time.now());
        assertThat(store.claim(request)).extracting(claim -> claim.event().id()).containsExactly("r0:first", "second");
    }
}

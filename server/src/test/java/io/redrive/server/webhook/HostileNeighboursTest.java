package io.redrive.server.webhook;

import static io.redrive.server.webhook.DeliveryBench.order;
import static io.redrive.server.webhook.DeliveryBench.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A healthy destination beside destinations that hang, drip, reset, garble and flood, all for the same events. */
class HostileNeighboursTest {

    private static final int EVENTS = 200;
    private static final Duration ENOUGH = Duration.ofSeconds(60);

    @Test
    void a_healthy_destination_gets_every_event_whatever_its_neighbours_do() throws Exception {
        Map<String, HostileReceiver> hostile = new LinkedHashMap<>();
        try (EventStore store = new InMemoryEventStore();
                TestReceiver healthy = new TestReceiver()) {
            hostile.put("hangs", new HostileReceiver(HostileReceiver.HANGS));
            hostile.put("drips", new HostileReceiver(HostileReceiver.drips("HTTP/1.1 200 O", 1_000)));
            hostile.put("resets", new HostileReceiver(HostileReceiver.RESETS));
            hostile.put("garbles", new HostileReceiver(HostileReceiver.GARBLES));
            hostile.put("floods", new HostileReceiver(HostileReceiver.FLOODS));
            Map<String, Map<String, Object>> routes = new HashMap<>();
            routes.put("healthy", route(healthy, "/"));
            hostile.forEach((name, receiver) -> routes.put(name, route(healthy, "/", "url", receiver.url())));
            try (RunningDelivery node = new RunningDelivery(store, routes)) {
                List<Event> events = IntStream.range(0, EVENTS)
                        .mapToObj(i -> order("o-" + i).build())
                        .toList();
                node.pipeline.publish(events);

                await().atMost(ENOUGH)
                        .untilAsserted(() -> assertThat(healthy.requests).hasSize(EVENTS));
                assertThat(healthy.requests.stream()
                                .map(each -> each.header("webhook-id"))
                                .distinct())
                        .hasSize(EVENTS);
                hostile.forEach((name, receiver) ->
                        assertThat(receiver.connections).as(name).hasPositiveValue());
                assertThat(hostile.get("hangs").connections).hasValueLessThanOrEqualTo(RouteReader.USUAL_CONCURRENCY);
            }
        } finally {
            hostile.values().forEach(HostileNeighboursTest::close);
        }
    }

    private static void close(HostileReceiver receiver) {
        try {
            receiver.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

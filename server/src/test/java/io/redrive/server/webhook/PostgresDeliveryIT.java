package io.redrive.server.webhook;

import static io.redrive.server.webhook.DeliveryBench.order;
import static io.redrive.server.webhook.DeliveryBench.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.jdbc.PostgresStore;
import io.redrive.server.SharedPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Webhooks of two nodes on one PostgreSQL. */
final class PostgresDeliveryIT {

    private static final int EVENTS = 100;
    private static final Duration ENOUGH = Duration.ofSeconds(60);

    private static List<Event> orders(String prefix) {
        return IntStream.range(0, EVENTS)
                .mapToObj(i -> order(prefix + i).build())
                .toList();
    }

    @Test
    void two_nodes_deliver_each_event_once_and_a_route_that_one_disables_rests_on_both() throws Exception {
        String url = SharedPostgres.newDatabase();
        try (TestReceiver receiver = new TestReceiver();
                EventStore one = PostgresStore.open(url);
                EventStore other = PostgresStore.open(url)) {
            Map<String, Map<String, Object>> routes = Map.of("billing", route(receiver, "/hooks"));
            try (RunningDelivery first = new RunningDelivery(one, routes);
                    RunningDelivery second = new RunningDelivery(other, routes)) {
                first.pipeline.publish(orders("a-"));
                awaitRequests(receiver, EVENTS);

                receiver.answers(410);
                second.pipeline.publish(orders("gone-").subList(0, 1));
                await().atMost(ENOUGH)
                        .until(() -> first.operations().list().get(0).disabled().isPresent());
                receiver.answers(204);
                first.pipeline.publish(orders("b-"));
                second.operations().enable("billing");
                // The refused message is sent again, and the events that waited are sent.
                awaitRequests(receiver, 2 * EVENTS + 2);
                // One secret signs on both nodes: the nodes share the note of the one that was faster.
                assertThat(receiver.requests)
                        .allMatch(each -> each.header("webhook-signature").startsWith("v1,"));
            }
            assertThat(receiver.requests.stream()
                            .map(each -> each.header("webhook-id"))
                            .distinct())
                    .hasSize(2 * EVENTS + 1);
        }
    }

    private static void awaitRequests(TestReceiver receiver, int count) {
        await().atMost(ENOUGH).untilAsserted(() -> assertThat(receiver.requests).hasSize(count));
    }
}

package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of rolling-deployments.md, and a deployment from one version to the next. */
final class RollingDeploymentExamplesTest {

    private static final int ORDERS = 200;

    @TempDir
    private Path folder;

    private final Set<String> refunded = ConcurrentHashMap.newKeySet();
    private final Set<String> paid = ConcurrentHashMap.newKeySet();
    private final CountDownLatch open = new CountDownLatch(2 * ORDERS);

    private void ship(Event event) {
        assertThat(event.name()).isEqualTo("order.paid");
        if (paid.add(event.id())) {
            open.countDown();
        }
    }

    private void refund(Event event) {
        assertThat(event.name()).isEqualTo("order.refunded");
        if (refunded.add(event.id())) {
            open.countDown();
        }
    }

    private static Event event(String name, int order) {
        return Event.named(name)
                .source("shop")
                .correlationId("order-" + order)
                .orderingKey("order-" + order)
                .build();
    }

    @Test
    void a_rolling_deployment_of_a_new_name_loses_nothing() throws InterruptedException {
        Path file = folder.resolve("orders.db");
        try (SqliteStore store = SqliteStore.open(file);
                SqliteStore other = SqliteStore.open(file)) {
            // snippet: rolling-deployment
            Pipeline old = Pipeline.on(store)
                    .node("shop-1, version 1")
                    .on("order.paid", this::ship)
                    .start();
            Pipeline young = Pipeline.on(other)
                    .node("shop-2, version 2")
                    .on("order.paid", this::ship)
                    .on("order.refunded", this::refund)
                    .start();
            // end
            for (int i = 0; i < ORDERS; i++) {
                young.publish(event("order.refunded", i));
                young.publish(event("order.paid", i));
                if (i == ORDERS / 4) {
                    young.close();
                    young = Pipeline.on(other).on("order.paid", this::ship).start();
                }
            }
            young.close();
            young = Pipeline.on(other)
                    .on("order.*", event -> {
                        if (event.name().equals("order.paid")) {
                            ship(event);
                        } else {
                            refund(event);
                        }
                    })
                    .start();
            assertThat(open.await(2, TimeUnit.MINUTES)).isTrue();
            old.close();
            young.close();
            assertThat(refunded).hasSize(ORDERS);
            assertThat(store.deadLetters().count(LetterFilter.ALL)).isZero();
            assertThat(store.stats(Instant.now()).ready()).isZero();
        }
    }

    @Test
    void a_policy_says_how_long_events_wait_for_a_handler() {
        // snippet: unhandled-after
        EventPolicies policies = EventPolicies.defaults()
                .withUnhandledAfter("audit.*", Duration.ofDays(3))
                .with(Map.of("metrics.*", Map.of("unhandled-after", "1h")));
        // end
        assertThat(policies.unhandledAfter("audit.written")).contains(Duration.ofDays(3));
        assertThat(policies.unhandledAfter("metrics.seen")).contains(Duration.ofHours(1));
        assertThat(policies.unhandledAfter("order.paid")).isEmpty();
    }
}

package io.redrive.server.webhook;

import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.StoreStats;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.operations.RouteOperations;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.redrive.server.webhook.http.AddressGuard;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pipeline with routes on a store in memory, stepped by hand, with a receiver on loopback. */
final class DeliveryBench implements AutoCloseable {

    static final String KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

    final ManualTime time = new ManualTime();
    final EventStore store = new InMemoryEventStore();
    final TestReceiver receiver;
    final Webhooks webhooks;
    final Pipeline pipeline;
    volatile AddressGuard.NameLookup names = InetAddress::getAllByName;

    DeliveryBench(TestReceiver receiver, Map<String, Map<String, Object>> routes) {
        this.receiver = receiver;
        WebhookSettings settings = settings(routes);
        webhooks = new Webhooks(store, settings, resources(KEY));
        Pipeline.Builder builder = Pipeline.on(store)
                .time(time)
                .executor(Runnable::run)
                .policies(EventPolicies.defaults().with(settings.policies()));
        webhooks.addTo(builder);
        pipeline = builder.build();
    }

    Webhooks.Resources resources(String key) {
        return new Webhooks.Resources(
                key.isEmpty() ? Map.of() : Map.of("REDRIVE_SECRETS_KEY", key),
                host -> names.lookup(host),
                Optional.empty(),
                new SecureRandom(),
                time);
    }

    static WebhookSettings settings(Map<String, Map<String, Object>> routes) {
        return WebhookSettings.read(Map.of("webhooks", Map.of("allow", List.of("127.0.0.0/8")), "routes", routes));
    }

    static Map<String, Object> route(TestReceiver receiver, String path, Object... more) {
        Map<String, Object> route = new HashMap<>();
        route.put("events", List.of("order.*"));
        route.put("url", receiver.url(path));
        route.put("plain-http", true);
        for (int i = 0; i < more.length; i += 2) {
            route.put((String) more[i], more[i + 1]);
        }
        return route;
    }

    static Event.Builder order(String id) {
        return Event.named("order.paid").source("shop").id(id).json("{\"order\": \"" + id + "\"}");
    }

    void publish(Event.Builder event) {
        pipeline.publish(event.time(time).build());
        pipeline.drain();
    }

    void later(Duration by) {
        time.advance(by);
        pipeline.drain();
    }

    RouteOperations operations() {
        return Operations.of(store, Operator.named("ann", Role.ADMIN), time)
                .withRoutes(webhooks.routes())
                .routes();
    }

    long waiting() {
        StoreStats stats = store.stats(time.now());
        return stats.ready() + stats.delayed() + stats.claimed();
    }

    @Override
    public void close() {
        pipeline.close();
        webhooks.close();
        store.close();
    }
}

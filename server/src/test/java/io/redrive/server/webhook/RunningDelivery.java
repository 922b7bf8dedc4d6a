package io.redrive.server.webhook;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.operations.RouteOperations;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A node that delivers webhooks: a pipeline with threads, as wide as that of a server, on a given store. */
final class RunningDelivery implements AutoCloseable {

    final Pipeline pipeline;
    private final EventStore store;
    private final Webhooks webhooks;

    RunningDelivery(EventStore store, Map<String, Map<String, Object>> routes) {
        this.store = store;
        WebhookSettings settings = DeliveryBench.settings(routes);
        webhooks = new Webhooks(
                store,
                settings,
                new Webhooks.Resources(
                        Map.of("REDRIVE_SECRETS_KEY", DeliveryBench.KEY),
                        InetAddress::getAllByName,
                        Optional.empty(),
                        new SecureRandom(),
                        Time.system()));
        Pipeline.Builder builder = Pipeline.on(store)
                .profile(Profile.HIGH_THROUGHPUT.withProcessors(64).withDemand(2, 8))
                .policies(EventPolicies.defaults().with(settings.policies()));
        webhooks.addTo(builder);
        pipeline = builder.start();
    }

    RouteOperations operations() {
        return Operations.of(store, Operator.named("ann", Role.ADMIN))
                .withRoutes(webhooks.routes())
                .routes();
    }

    @Override
    public void close() {
        // Handlers that wait for a destination that hangs are interrupted.
        pipeline.stop(Duration.ofSeconds(1));
        webhooks.close();
    }
}

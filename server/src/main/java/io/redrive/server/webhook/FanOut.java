package io.redrive.server.webhook;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.pipeline.BatchHandler;
import io.redrive.pipeline.EventBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * Makes one delivery event for each route of a published event. A batch is one publish: its cost is shared. After a crash
 * between publish and settlement the batch comes again, and the store drops the delivery events that it has already.
 */
final class FanOut implements BatchHandler {

    /** How long an event waits whose routes were removed from the configuration. */
    static final Duration NO_ROUTE = Duration.ofMinutes(5);

    private final Supplier<RouteTable> routes;
    private final EventStore store;
    private final Time time;

    FanOut(Supplier<RouteTable> routes, EventStore store, Time time) {
        this.routes = routes;
        this.store = store;
        this.time = time;
    }

    @Override
    public void handle(EventBatch batch) {
        Instant now = time.now();
        RouteTable table = routes.get();
        List<Event> deliveries = new ArrayList<>();
        for (Event event : batch.events()) {
            Collection<Route> matching = table.matching(event.name());
            if (matching.isEmpty()) {
                batch.snooze(event, NO_ROUTE);
                continue;
            }
            try {
                List<Event> own = new ArrayList<>(matching.size());
                matching.forEach(route -> own.add(DeliveryEvents.of(event, route)));
                deliveries.addAll(own);
            } catch (IllegalArgumentException e) {
                batch.invalid(event, e);
            }
        }
        // An event may have more routes than one call publishes. A batch that comes again repeats no delivery event.
        for (int from = 0; from < deliveries.size(); from += EventStore.MAX_PUBLISH) {
            int end = Math.min(from + EventStore.MAX_PUBLISH, deliveries.size());
            store.publishBeforeSettling(deliveries.subList(from, end), now);
        }
    }
}

package io.redrive.server.webhook;

import io.redrive.core.Time;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The routes in force and the gate of each destination on this node. A gate is made at the first delivery and made anew when the
 * limits of its route change. Thread-safe.
 */
final class Destinations {

    private final Time time;
    private final Map<String, Destination> gates = new ConcurrentHashMap<>();
    private volatile RouteTable table;

    /** A route and its gate. */
    record Destination(Route route, DestinationGate gate) {}

    Destinations(RouteTable table, Time time) {
        this.table = table;
        this.time = time;
    }

    RouteTable table() {
        return table;
    }

    /** Uses other routes from now on. Requests under way end as they began. */
    void use(RouteTable newTable) {
        table = newTable;
        gates.keySet().removeIf(name -> newTable.find(name).isEmpty());
    }

    /** Returns the destination of the delivery events with this name; empty when there is no such route any more. */
    Optional<Destination> ofEvent(String eventName) {
        return eventName.startsWith(Route.PREFIX) ? find(eventName.substring(Route.PREFIX.length())) : Optional.empty();
    }

    Optional<Destination> find(String name) {
        return table.find(name)
                .map(route -> gates.compute(
                        name,
                        (key, known) -> known != null && known.route().equals(route) ? known : renewed(route, known)));
    }

    private Destination renewed(Route route, @Nullable Destination known) {
        if (known != null && known.route().limits().equals(route.limits())) {
            return new Destination(route, known.gate());
        }
        return new Destination(route, new DestinationGate(route.name(), route.limits(), time));
    }
}

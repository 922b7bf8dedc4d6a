package io.redrive.operations;

import io.redrive.events.NamePattern;
import io.redrive.pipeline.NamePause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A route of webhooks and its state.
 *
 * @param name the name of the route
 * @param events the names of the events that the route delivers
 * @param url the address of the destination, without its query
 * @param signature the scheme of signatures: {@code v1}, {@code v1a} or {@code none}
 * @param eventName the name of the delivery events, by which letters and activity of the route are found
 * @param disabled why and since when the route is disabled; empty when it is enabled
 * @param failingSince since when no delivery succeeded; empty while deliveries succeed
 * @param disabledAt when the route is disabled if the destination goes on failing; empty when there is no such time yet
 * @param breaker the state of the circuit breaker on this node: {@code closed}, {@code open} or {@code half_open}
 * @param problem why nothing can be delivered, such as a secret that cannot be opened; empty when there is none
 */
public record RouteStatus(
        String name,
        List<NamePattern> events,
        String url,
        String signature,
        String eventName,
        Optional<NamePause.ByHand> disabled,
        Optional<Instant> failingSince,
        Optional<Instant> disabledAt,
        String breaker,
        Optional<String> problem) {

    /** Copies the list. */
    public RouteStatus {
        events = List.copyOf(events);
    }
}

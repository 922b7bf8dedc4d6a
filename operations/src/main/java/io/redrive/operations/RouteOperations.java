package io.redrive.operations;

import io.redrive.pipeline.NamePause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What an operator may know and do about routes of webhooks. Thread-safe. */
public interface RouteOperations {

    /** Returns all routes by name. */
    List<RouteStatus> list();

    /**
     * Sends a signed test message to the destination at once, once. The event of the message is not stored.
     *
     * @throws IllegalArgumentException if there is no such route
     */
    RouteTestResult test(String route);

    /**
     * Delivers no event of a route, on all nodes, within about a second. The events wait: none is dropped or dead.
     *
     * @param reason the reason, for other operators; 1 to {@value NamePause.ByHand#MAX_REASON} characters
     * @throws IllegalArgumentException if there is no such route, the reason is blank or too long, or too many names are paused
     */
    NamePause.ByHand disable(String route, String reason);

    /**
     * Delivers the events of a route again, from where delivery stopped, and forgets the failures of its destination.
     *
     * @return the ended pause; empty when the route was enabled
     * @throws IllegalArgumentException if there is no such route
     */
    Optional<NamePause.ByHand> enable(String route);

    /**
     * Makes a new secret. The former secret signs along for the grace.
     *
     * @param grace how long the former secret signs too, up to seven days; empty for the grace of the route
     * @throws IllegalArgumentException if there is no such route, the route is not signed, or the grace is too long
     * @throws IllegalStateException if too many former secrets sign along
     */
    RotatedSecret rotate(String route, Optional<Duration> grace);
}

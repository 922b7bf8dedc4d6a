package io.redrive.operations;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The routes of the process that delivers webhooks: what {@link RouteOperations} needs from it. Implementations check no role and
 * record nothing, and are thread-safe.
 */
public interface WebhookRoutes {

    /** Returns all routes by name. */
    List<RouteStatus> list();

    /**
     * Sends a signed test message to the destination at once, once.
     *
     * @throws IllegalArgumentException if there is no such route
     */
    RouteTestResult test(String route);

    /**
     * Makes a new secret. The former secret signs along for the grace.
     *
     * @param grace how long the former secret signs too; empty for the grace of the route
     * @throws IllegalArgumentException if there is no such route, the route is not signed, or the grace is longer than seven days
     * @throws IllegalStateException if too many former secrets sign along
     */
    RotatedSecret rotate(String route, Optional<Duration> grace);

    /** Forgets the failures of a destination, because an operator enables the route. */
    void forgetFailures(String route);
}

package io.redrive.operations;

import io.redrive.events.NamePattern;
import io.redrive.events.OperatorCommand;
import io.redrive.pipeline.HandPauses;
import io.redrive.pipeline.NamePause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** {@link RouteOperations} on a store. */
final class StoredRoutes implements RouteOperations {

    private final Desk desk;
    private final WebhookRoutes routes;

    StoredRoutes(Desk desk, WebhookRoutes routes) {
        this.desk = desk;
        this.routes = routes;
    }

    @Override
    public List<RouteStatus> list() {
        desk.read();
        return routes.list();
    }

    @Override
    public RouteTestResult test(String route) {
        OperatorCommand command = desk.command(Verb.TEST_ROUTE, route);
        require(route);
        RouteTestResult result = routes.test(route);
        desk.record(command, Verb.TEST_ROUTE, result.summary());
        return result;
    }

    @Override
    public NamePause.ByHand disable(String route, String reason) {
        OperatorCommand command = desk.command(Verb.DISABLE_ROUTE, route + ": " + reason);
        NamePause.ByHand pause =
                new NamePause.ByHand(require(route), desk.operator().name(), reason, desk.now(), Optional.empty());
        new HandPauses(desk.store().notes()).pause(pause);
        desk.record(command, Verb.DISABLE_ROUTE, "disabled");
        return pause;
    }

    @Override
    public Optional<NamePause.ByHand> enable(String route) {
        OperatorCommand command = desk.command(Verb.ENABLE_ROUTE, route);
        Optional<NamePause.ByHand> ended = new HandPauses(desk.store().notes()).resume(require(route), desk.now());
        routes.forgetFailures(route);
        ended.ifPresent(pause -> desk.record(
                command,
                Verb.ENABLE_ROUTE,
                "disabled since " + Desk.inSeconds(pause.since()) + " by " + pause.operator() + ": " + pause.reason()));
        return ended;
    }

    @Override
    public RotatedSecret rotate(String route, Optional<Duration> grace) {
        OperatorCommand command = desk.command(Verb.ROTATE_ROUTE, route);
        require(route);
        RotatedSecret secret = routes.rotate(route, grace);
        desk.record(
                command,
                Verb.ROTATE_ROUTE,
                secret.formerUntil()
                        .map(until -> "the former secret signs until " + Desk.inSeconds(until))
                        .orElse("the former secret stopped at once"));
        return secret;
    }

    /** Returns the name of the delivery events of a route. */
    private NamePattern require(String route) {
        List<RouteStatus> all = routes.list();
        return all.stream()
                .filter(status -> status.name().equals(route))
                .map(status -> new NamePattern(status.eventName()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no route '" + route + "' (known: "
                        + all.stream().map(RouteStatus::name).collect(Collectors.joining(", ")) + ")"));
    }
}

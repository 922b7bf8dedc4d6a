package io.redrive.server.webhook;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.operations.RotatedSecret;
import io.redrive.operations.RouteStatus;
import io.redrive.operations.RouteTestResult;
import io.redrive.operations.WebhookRoutes;
import io.redrive.pipeline.NamePause;
import io.redrive.server.webhook.http.SendResult;
import io.redrive.server.webhook.http.WebhookClient;
import io.redrive.server.webhook.secret.SealedSecretException;
import io.redrive.server.webhook.signature.SigningKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The routes of this server, for the facade of operators. Thread-safe. */
final class ServerRoutes implements WebhookRoutes {

    private static final Duration MOST_GRACE = Duration.ofDays(7);

    private final Destinations destinations;
    private final RouteSecrets secrets;
    private final RequestMaker requests;
    private final WebhookClient client;
    private final DestinationHealth health;
    private final EventStore store;
    private final Time time;

    ServerRoutes(
            Destinations destinations,
            RouteSecrets secrets,
            WebhookClient client,
            DestinationHealth health,
            EventStore store,
            Time time) {
        this.destinations = destinations;
        this.secrets = secrets;
        this.requests = new RequestMaker(secrets, time);
        this.client = client;
        this.health = health;
        this.store = store;
        this.time = time;
    }

    @Override
    public List<RouteStatus> list() {
        Map<String, NamePause.ByHand> pauses = NamePause.of(store.notes(), time.now()).stream()
                .filter(NamePause.ByHand.class::isInstance)
                .map(NamePause.ByHand.class::cast)
                .collect(Collectors.toMap(pause -> pause.pattern().text(), Function.identity(), (one, other) -> one));
        return destinations.table().routes().stream()
                .map(route -> status(route, Optional.ofNullable(pauses.get(route.eventName()))))
                .toList();
    }

    private RouteStatus status(Route route, Optional<NamePause.ByHand> pause) {
        Optional<FailingClock> clock = health.clock(route.name());
        return new RouteStatus(
                route.name(),
                route.events(),
                route.target().shown(),
                route.signing().scheme(),
                route.eventName(),
                pause,
                clock.map(FailingClock::first),
                pause.isPresent() ? Optional.empty() : clock.flatMap(FailingClock::disabledAt),
                destinations
                        .find(route.name())
                        .map(each -> each.gate().breakerState().name().toLowerCase(Locale.ROOT))
                        .orElse("closed"),
                problem(route));
    }

    private Optional<String> problem(Route route) {
        try {
            secrets.keys(route);
            return Optional.empty();
        } catch (SealedSecretException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    @Override
    public RouteTestResult test(String name) {
        Route route = require(name);
        Event test = Event.named("redrive.test")
                .source("redrive")
                .json("{\"type\": \"redrive.test\", \"route\": \"" + name + "\"}")
                .time(time)
                .build();
        long began = time.nanos();
        try {
            Event delivery = DeliveryEvents.of(test, route);
            SendResult result = client.send(requests.request(route, delivery, 1));
            return result(result, Duration.ofNanos(time.nanos() - began));
        } catch (SealedSecretException e) {
            return new RouteTestResult(false, String.valueOf(e.getMessage()), "", Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new RouteTestResult(false, "interrupted", "", Duration.ofNanos(time.nanos() - began));
        }
    }

    private static RouteTestResult result(SendResult result, Duration took) {
        if (result instanceof SendResult.Answered answered) {
            return new RouteTestResult(
                    answered.answer().isSuccess(),
                    "status " + answered.answer().status(),
                    answered.answer().text(),
                    took);
        }
        String why = result instanceof SendResult.NotSent unsent
                ? "not sent: " + unsent.why()
                : "no answer: " + ((SendResult.NotAnswered) result).cause().getMessage();
        return new RouteTestResult(false, why, "", took);
    }

    @Override
    public RotatedSecret rotate(String name, Optional<Duration> grace) {
        Route route = require(name);
        if (!route.signing().isSigned()) {
            throw new IllegalArgumentException("route '" + name + "' has signature: none, and so no secret to rotate");
        }
        Duration time = grace.orElse(route.signing().grace());
        if (time.isNegative() || time.compareTo(MOST_GRACE) > 0) {
            throw new IllegalArgumentException("grace must be from 0 to 7 days, got " + time);
        }
        SigningKey fresh = secrets.rotate(route, time);
        Optional<Instant> until =
                time.isZero() ? Optional.empty() : Optional.of(this.time.now().plus(time));
        return new RotatedSecret(name, fresh.receiverText(), until);
    }

    @Override
    public void forgetFailures(String name) {
        health.forget(name);
        destinations.find(name).ifPresent(destination -> destination.gate().reset());
    }

    private Route require(String name) {
        return destinations
                .table()
                .find(name)
                .orElseThrow(() -> new IllegalArgumentException("no route '" + name + "'"));
    }
}

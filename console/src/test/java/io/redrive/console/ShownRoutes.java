package io.redrive.console;

import io.redrive.events.NamePattern;
import io.redrive.operations.RotatedSecret;
import io.redrive.operations.RouteStatus;
import io.redrive.operations.RouteTestResult;
import io.redrive.operations.WebhookRoutes;
import io.redrive.pipeline.NamePause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Three routes of webhooks: one works, one fails since yesterday, one is disabled. */
final class ShownRoutes implements WebhookRoutes {

    private final Instant now = Instant.now();

    private static RouteStatus route(String name, String url, String breaker, Optional<Instant> failing) {
        return new RouteStatus(
                name,
                List.of(new NamePattern("order.*"), new NamePattern("invoice.*")),
                url,
                "v1",
                "webhook." + name,
                Optional.empty(),
                failing,
                failing.map(since -> since.plus(Duration.ofDays(5))),
                breaker,
                Optional.empty());
    }

    @Override
    public List<RouteStatus> list() {
        RouteStatus legacy = route("legacy", "https://old.example/in", "closed", Optional.empty());
        return List.of(
                route("billing", "https://billing.example/hooks/redrive", "closed", Optional.empty()),
                route("crm", "https://crm.example/events", "open", Optional.of(now.minus(Duration.ofHours(20)))),
                new RouteStatus(
                        legacy.name(),
                        legacy.events(),
                        legacy.url(),
                        legacy.signature(),
                        legacy.eventName(),
                        Optional.of(new NamePause.ByHand(
                                new NamePattern("webhook.legacy"),
                                "ann",
                                "moves to the new address",
                                now.minus(Duration.ofHours(3)),
                                Optional.empty())),
                        Optional.empty(),
                        Optional.empty(),
                        "closed",
                        Optional.empty()));
    }

    @Override
    public RouteTestResult test(String route) {
        return new RouteTestResult(true, "status 204", "", Duration.ofMillis(31));
    }

    @Override
    public RotatedSecret rotate(String route, Optional<Duration> grace) {
        return new RotatedSecret(route, "whsec_shown_once", Optional.empty());
    }

    @Override
    public void forgetFailures(String route) {}
}

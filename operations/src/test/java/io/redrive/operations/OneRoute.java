package io.redrive.operations;

import io.redrive.events.NamePattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A process with one route, whose destination always answers. */
final class OneRoute implements WebhookRoutes {

    static final String NAME = "billing";

    final List<String> forgotten = new ArrayList<>();

    @Override
    public List<RouteStatus> list() {
        return List.of(new RouteStatus(
                NAME,
                List.of(new NamePattern("order.*")),
                "https://billing.example/hooks",
                "v1",
                "webhook." + NAME,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "closed",
                Optional.empty()));
    }

    @Override
    public RouteTestResult test(String route) {
        return new RouteTestResult(true, "status 204", "status 204", Duration.ofMillis(3));
    }

    @Override
    public RotatedSecret rotate(String route, Optional<Duration> grace) {
        return new RotatedSecret(route, "whsec_c2VjcmV0", Optional.empty());
    }

    @Override
    public void forgetFailures(String route) {
        forgotten.add(route);
    }
}

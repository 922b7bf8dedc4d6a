package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.core.DurationText;
import io.redrive.events.NamePattern;
import io.redrive.operations.RotatedSecret;
import io.redrive.operations.RouteOperations;
import io.redrive.operations.RouteStatus;
import io.redrive.operations.RouteTestResult;
import io.redrive.pipeline.NamePause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** {@link RouteOperations} of a server. */
final class RemoteRoutes implements RouteOperations {

    private final Api api;

    RemoteRoutes(Api api) {
        this.api = api;
    }

    @Override
    public List<RouteStatus> list() {
        return api.get(ApiPath.of("routes")).list("items", RemoteRoutes::status);
    }

    private static RouteStatus status(Fields fields) {
        return new RouteStatus(
                fields.text("name"),
                fields.texts("events").stream().map(NamePattern::new).toList(),
                fields.text("url"),
                fields.text("signature"),
                fields.text("event_name"),
                fields.isTrue("enabled") ? Optional.empty() : Optional.of(disabled(fields)),
                fields.optionalTime("failing_since"),
                fields.optionalTime("disabled_at"),
                fields.text("breaker"),
                fields.optional("problem"));
    }

    private static NamePause.ByHand disabled(Fields fields) {
        return new NamePause.ByHand(
                fields.text("event_name", NamePattern::new),
                fields.text("disabled_by"),
                fields.text("reason"),
                fields.time("disabled_since"),
                Optional.empty());
    }

    @Override
    public RouteTestResult test(String route) {
        Fields result = change(route, "test", new JsonObject());
        return new RouteTestResult(
                result.isTrue("delivered"), result.text("summary"), result.text("answer"), result.millis("took_ms"));
    }

    @Override
    public NamePause.ByHand disable(String route, String reason) {
        return disabled(change(route, "disable", new JsonObject().put("reason", reason)));
    }

    @Override
    public Optional<NamePause.ByHand> enable(String route) {
        Fields enabled = change(route, "enable", new JsonObject());
        return enabled.isTrue("was_disabled") ? Optional.of(disabled(enabled)) : Optional.empty();
    }

    @Override
    public RotatedSecret rotate(String route, Optional<Duration> grace) {
        Fields secret = change(
                route,
                "rotate",
                new JsonObject().put("grace", grace.map(DurationText::format).orElse(null)));
        return new RotatedSecret(secret.text("name"), secret.text("secret"), secret.optionalTime("former_until"));
    }

    private Fields change(String route, String verb, JsonObject body) {
        return api.change("POST", ApiPath.of("routes", route, verb), body)
                .orElseThrow(() -> new IllegalArgumentException("no route '" + route + "' (known: "
                        + list().stream().map(RouteStatus::name).collect(Collectors.joining(", ")) + ")"));
    }
}

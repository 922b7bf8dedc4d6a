package io.redrive.server.http;

import io.redrive.core.DurationText;
import io.redrive.operations.RotatedSecret;
import io.redrive.operations.RouteOperations;
import io.redrive.operations.RouteStatus;
import io.redrive.operations.RouteTestResult;
import io.redrive.pipeline.NamePause;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Routes of webhooks. */
@RestController
class RouteResource {

    private static final int MAX_REASON = NamePause.ByHand.MAX_REASON;

    private final CallerOperations operations;

    RouteResource(CallerOperations operations) {
        this.operations = operations;
    }

    private RouteOperations of(HttpServletRequest request) {
        return operations.of(request).routes();
    }

    @GetMapping("/api/v1/routes")
    Map<String, Object> list(HttpServletRequest request) {
        Query.of(request);
        return Answer.list(of(request).list(), RouteResource::view);
    }

    private static Answer view(RouteStatus route) {
        Answer answer = new Answer()
                .put("name", route.name())
                .put("events", route.events())
                .put("url", route.url())
                .put("signature", route.signature())
                .put("event_name", route.eventName())
                .put("enabled", route.disabled().isEmpty())
                .put("failing_since", route.failingSince())
                .put("disabled_at", route.disabledAt())
                .put("breaker", route.breaker())
                .put("problem", route.problem());
        route.disabled().ifPresent(pause -> pause(answer, pause));
        return answer;
    }

    private static Answer pause(Answer answer, NamePause.ByHand pause) {
        return answer.put("event_name", pause.pattern().text())
                .put("disabled_by", pause.operator())
                .put("disabled_since", pause.since())
                .put("reason", pause.reason());
    }

    @PostMapping("/api/v1/routes/{name}/test")
    Map<String, Object> test(HttpServletRequest request, @PathVariable String name) {
        Query.of(request);
        requireRoute(request, name);
        RouteTestResult result = of(request).test(name);
        return new Answer()
                .put("delivered", result.delivered())
                .put("summary", result.summary())
                .put("answer", result.answer())
                .put("took_ms", result.took())
                .done();
    }

    @PostMapping("/api/v1/routes/{name}/enable")
    Map<String, Object> enable(HttpServletRequest request, @PathVariable String name) {
        Query.of(request);
        requireRoute(request, name);
        Optional<NamePause.ByHand> ended = of(request).enable(name);
        Answer answer = new Answer().put("name", name).put("was_disabled", ended.isPresent());
        ended.ifPresent(pause -> pause(answer, pause));
        return answer.done();
    }

    @PostMapping("/api/v1/routes/{name}/disable")
    Map<String, Object> disable(HttpServletRequest request, @PathVariable String name, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        String reason = body.requiredText("reason");
        body.done();
        requireRoute(request, name);
        try {
            NamePause.ByHand pause = of(request).disable(name, reason);
            return pause(new Answer().put("name", name), pause).done();
        } catch (IllegalArgumentException e) {
            throw Problem.wrong("reason", reason, "1 to " + MAX_REASON + " readable characters: " + e.getMessage());
        }
    }

    @PostMapping("/api/v1/routes/{name}/rotate")
    Map<String, Object> rotate(HttpServletRequest request, @PathVariable String name, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        Optional<Duration> grace = body.value("grace", DurationText::parse);
        body.done();
        requireRoute(request, name);
        try {
            RotatedSecret secret = of(request).rotate(name, grace);
            return new Answer()
                    .put("name", name)
                    .put("secret", secret.receiverText())
                    .put("former_until", secret.formerUntil())
                    .done();
        } catch (IllegalArgumentException e) {
            throw Problem.wrong("grace", grace.map(DurationText::format).orElse(null), String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            throw Problem.of(HttpStatus.CONFLICT, "conflict", String.valueOf(e.getMessage()));
        }
    }

    private void requireRoute(HttpServletRequest request, String name) {
        if (of(request).list().stream().noneMatch(route -> route.name().equals(name))) {
            throw Problem.missing("route", name);
        }
    }
}

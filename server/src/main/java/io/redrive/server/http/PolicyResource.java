package io.redrive.server.http;

import io.redrive.core.DurationText;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Schedule;
import io.redrive.events.NamePattern;
import io.redrive.pipeline.EventPolicies;
import io.redrive.server.problem.Problem;
import io.redrive.spring.RedriveSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Retry policies of events: the server's own, changed by the settings that all nodes share. */
@RestController
class PolicyResource {

    private final CallerOperations operations;
    private final RedriveSettings settings;

    PolicyResource(CallerOperations operations, RedriveSettings settings) {
        this.operations = operations;
        this.settings = settings;
    }

    @GetMapping("/api/v1/policies")
    Map<String, Object> list(HttpServletRequest request) {
        Query.of(request);
        var policies = operations.of(request).policies();
        EventPolicies inForce = policies.inForce(settings.eventPolicies());
        return new Answer()
                .put(
                        "items",
                        inForce.all().entrySet().stream()
                                .map(entry -> new Answer()
                                        .put("pattern", entry.getKey().text())
                                        .put("policy", entry.getValue()))
                                .toList())
                .put("shared", policies.shared())
                .done();
    }

    @GetMapping("/api/v1/policies/explain")
    Map<String, Object> explain(HttpServletRequest request) {
        Query query = Query.of(request, "name");
        String name = query.text("name").orElseThrow(() -> Problem.wrong("name", null, "must be an event name"));
        RetryPolicy policy = operations.of(request).policies().policyOf(name, settings.eventPolicies());
        Schedule schedule = policy.explain();
        return new Answer()
                .put("name", name)
                .put("policy", schedule.policy())
                .put("worst_case", schedule.worstCase().map(DurationText::format))
                .put("rows", schedule.rows().stream().map(PolicyResource::row).toList())
                .put("warnings", schedule.warnings())
                .done();
    }

    private static Answer row(Schedule.Row row) {
        return new Answer()
                .put("attempt", row.attempt())
                .put("base_ms", row.base())
                .put("least_ms", row.least())
                .put("most_ms", row.most())
                .put("cumulative_ms", row.cumulative());
    }

    /** Changes the shared settings of a pattern; a blank value removes a key, an empty object removes the pattern. */
    @PutMapping("/api/v1/policies/{pattern}")
    Map<String, Object> change(HttpServletRequest request, @PathVariable String pattern, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        if (body.node("settings").isEmpty()) {
            throw Problem.wrong("settings", null, "must be an object of policy settings such as {\"max-attempts\": 5}");
        }
        Map<String, String> changed = body.scalars("settings");
        body.done();
        NamePattern names = Query.read("pattern", pattern, NamePattern::new);
        var policies = operations.of(request).policies();
        policies.change(names, changed);
        return new Answer()
                .put("pattern", pattern)
                .put("shared", policies.shared().getOrDefault(pattern, Map.of()))
                .done();
    }
}

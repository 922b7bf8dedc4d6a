package io.redrive.server.http;

import io.redrive.operations.Operations;
import io.redrive.pipeline.StoreAlert;
import io.redrive.server.access.Caller;
import io.redrive.server.config.ConfigurationReload;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** How the server stands, in one answer; and who the caller is. */
@RestController
class StatusResource {

    private final CallerOperations operations;
    private final ConfigurationReload configuration;

    StatusResource(CallerOperations operations, ConfigurationReload configuration) {
        this.operations = operations;
        this.configuration = configuration;
    }

    @GetMapping("/api/v1/status")
    Map<String, Object> status(HttpServletRequest request) {
        Query.of(request);
        Operations all = operations.of(request);
        ConfigurationReload.State state = configuration.state();
        return new Answer()
                .put("version", version())
                .put("events", EventResource.stats(all.events().stats()))
                .put(
                        "alerts",
                        all.activity().alerts().stream()
                                .filter(StoreAlert::raised)
                                .map(ActivityResource::alert)
                                .toList())
                .put(
                        "nodes_alive",
                        all.nodes().stream()
                                .filter(node -> node.isAlive(operations.time().now()))
                                .count())
                .put("pauses", all.pauses().list().size())
                .put(
                        "configuration",
                        new Answer()
                                .put("file", state.file().map(file -> file.getFileName()))
                                .put("loaded", state.loaded())
                                .put("refusal", state.refusal()))
                .done();
    }

    /** Returns the version of the jar; classes that are not in a jar have none. */
    private static String version() {
        return Optional.ofNullable(StatusResource.class.getPackage().getImplementationVersion())
                .orElse("(development)");
    }

    @GetMapping("/api/v1/me")
    Map<String, Object> me(HttpServletRequest request) {
        Query.of(request);
        Caller caller = Caller.of(request);
        return new Answer()
                .put("name", caller.operator().name())
                .put("role", caller.operator().role().code())
                .put("token", caller.token().map(token -> token.prefix()))
                .done();
    }
}

package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.events.NamePattern;
import io.redrive.operations.PolicyOperations;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@link PolicyOperations} of a server. */
final class RemotePolicies implements PolicyOperations {

    private final Api api;

    RemotePolicies(Api api) {
        this.api = api;
    }

    @Override
    public Map<String, Map<String, String>> shared() {
        Map<String, Map<String, String>> shared = new LinkedHashMap<>();
        api.get(ApiPath.of("policies")).members("shared").forEach((pattern, settings) -> {
            Map<String, String> texts = new LinkedHashMap<>();
            Fields.of(settings).all().forEach((key, value) -> texts.put(key, value.text()));
            shared.put(pattern, texts);
        });
        return shared;
    }

    @Override
    public void change(NamePattern pattern, Map<String, String> settings) {
        JsonObject values = new JsonObject();
        settings.forEach(values::put);
        api.change("PUT", ApiPath.of("policies", pattern.text()), new JsonObject().put("settings", values))
                .orElseThrow();
    }
}

package io.redrive.server.mcp;

import io.redrive.core.SettingException;
import io.redrive.operations.Operations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A question or a proposal that an assistant may make.
 *
 * @param name the name
 * @param description what the tool does, for the model
 * @param parameters the arguments that the tool knows
 * @param proposes true when the tool makes or withdraws a proposal
 * @param action answers a call
 */
record AssistantTool(String name, String description, List<Parameter> parameters, boolean proposes, Action action) {

    /** Copies the parameters. */
    AssistantTool {
        parameters = List.copyOf(parameters);
    }

    /** Answers a call with maps, lists, texts and numbers. */
    interface Action {
        Object answer(Operations operations, Arguments arguments);
    }

    /**
     * An argument that a tool knows.
     *
     * @param type the type as JSON schema names it; array stands for a list of ids
     */
    record Parameter(String name, String type, String description, boolean required) {

        static Parameter text(String name, String description) {
            return new Parameter(name, "string", description, false);
        }

        static Parameter number(String name, String description) {
            return new Parameter(name, "integer", description, false);
        }

        static Parameter truth(String name, String description) {
            return new Parameter(name, "boolean", description, false);
        }

        Parameter needed() {
            return new Parameter(name, type, description, true);
        }
    }

    /**
     * Answers a call, marked as data.
     *
     * @throws IllegalArgumentException when an argument is unknown or refused
     */
    String call(Operations operations, Arguments arguments) {
        List<String> known = parameters.stream().map(Parameter::name).toList();
        for (String given : arguments.given().keySet()) {
            if (!known.contains(given)) {
                String meant = SettingException.nearest(given, known)
                        .map(word -> "; did you mean " + word + "?")
                        .orElse("");
                throw Arguments.wrong(given, "", "must be one of " + String.join(", ", known) + meant);
            }
        }
        return MarkedData.of(action.answer(operations, arguments));
    }

    /** Returns the JSON schema of the arguments. */
    Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (Parameter parameter : parameters) {
            Map<String, Object> property = new LinkedHashMap<>();
            property.put("type", parameter.type());
            property.put("description", parameter.description());
            if (parameter.type().equals("array")) {
                property.put("items", Map.of("type", "integer"));
            }
            properties.put(parameter.name(), property);
            if (parameter.required()) {
                required.add(parameter.name());
            }
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", required);
        schema.put("additionalProperties", false);
        return schema;
    }
}

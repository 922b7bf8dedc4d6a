package io.redrive.server;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Checks the answers of a server against the schemas of the OpenAPI document. */
final class OpenApiAnswers {

    private static final String BASE = "/api/v1";
    private static final JsonMapper JSON = new JsonMapper();
    private static final JsonNode DOCUMENT = document();
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(Dialects.getDraft202012());
    private static final Map<String, Schema> SCHEMAS = new ConcurrentHashMap<>();

    private OpenApiAnswers() {}

    private static JsonNode document() {
        try (InputStream in = Objects.requireNonNull(OpenApiAnswers.class.getResourceAsStream("/openapi.yaml"))) {
            return JSON.valueToTree(new Yaml().load(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the operations of the document whose answers are JSON. */
    static Set<String> documented() {
        Set<String> operations = new TreeSet<>();
        DOCUMENT.path("paths")
                .forEachEntry((path, item) -> item.forEachEntry((method, operation) -> {
                    boolean json = operation
                            .path("responses")
                            .valueStream()
                            .anyMatch(answer -> answer.path("content").has("application/json"));
                    if (json) {
                        operations.add(method.toUpperCase(Locale.ROOT) + " " + path);
                    }
                }));
        return operations;
    }

    /**
     * Checks an answer.
     *
     * @throws AssertionError when the answer has another form than its schema
     */
    static void check(String method, URI uri, int status, String contentType, String body) {
        String path = uri.getRawPath();
        if (!path.startsWith(BASE) || body.isEmpty()) {
            return;
        }
        if (contentType.startsWith("application/problem+json")) {
            check("a problem", "/components/schemas/Problem", body);
        } else if (contentType.startsWith("application/json") && status / 100 == 2) {
            String operation = operation(method, path.substring(BASE.length()));
            String[] parts = operation.split(" ");
            String place = "/paths/" + parts[1].replace("~", "~0").replace("/", "~1") + "/"
                    + method.toLowerCase(Locale.ROOT) + "/responses/" + status + "/content/application~1json/schema";
            check(operation + " " + status, place, body);
        }
    }

    /** Returns the documented operation of a request; a path without variables wins. */
    private static String operation(String method, String path) {
        List<String> fitting = new ArrayList<>();
        DOCUMENT.path("paths").forEachEntry((template, item) -> {
            String pattern = Pattern.quote(template).replaceAll("\\{\\w+}", "\\\\E[^/]+\\\\Q");
            if (item.has(method.toLowerCase(Locale.ROOT)) && path.matches(pattern)) {
                fitting.add(template);
            }
        });
        return method + " "
                + fitting.stream()
                        .min(Comparator.comparingLong(template ->
                                template.chars().filter(c -> c == '{').count()))
                        .orElseThrow(() -> new AssertionError("no path of the document fits " + method + " " + path));
    }

    private static void check(String what, String place, String body) {
        Schema schema = SCHEMAS.computeIfAbsent(place, OpenApiAnswers::schema);
        var errors = schema.validate(JSON.readTree(body));
        if (!errors.isEmpty()) {
            throw new AssertionError(what + ": " + errors + "\n" + body);
        }
    }

    /** Returns a schema that refers to the one at this place of the document. */
    private static Schema schema(String place) {
        JsonNode found = DOCUMENT.at(place);
        if (found.isMissingNode()) {
            throw new AssertionError("the document has no schema at " + place);
        }
        ObjectNode whole = JSON.createObjectNode();
        whole.put("$ref", "#" + place);
        whole.set("paths", DOCUMENT.path("paths"));
        whole.set("components", DOCUMENT.path("components"));
        return REGISTRY.getSchema(whole);
    }
}

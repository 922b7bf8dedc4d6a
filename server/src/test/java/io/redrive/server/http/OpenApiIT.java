package io.redrive.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.server.TestServer;
import io.redrive.server.TestServer.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.yaml.snakeyaml.Yaml;

/** The OpenAPI document says exactly what the server answers: each path, each method, each parameter. */
@SuppressWarnings("unchecked")
final class OpenApiIT {

    private static final String BASE = "/api/v1";
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete");
    private static final Pattern KNOWN =
            Pattern.compile("must be one of the parameters ([a-z_, ]*?)(?:; did you mean.*)?$");

    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.start(folder, "");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Map<String, Object> document() {
        return new Yaml().load(server.get(BASE + "/openapi.yaml").body());
    }

    /** Each operation of the document, such as {@code GET /letters}, with the names of its query parameters. */
    private static Map<String, Set<String>> documented() {
        Map<String, Set<String>> operations = new TreeMap<>();
        ((Map<String, Map<String, Object>>) document().get("paths"))
                .forEach((path, item) -> item.forEach((method, value) -> {
                    if (METHODS.contains(method)) {
                        Map<String, Object> operation = (Map<String, Object>) value;
                        List<Map<String, String>> parameters =
                                (List<Map<String, String>>) operation.getOrDefault("parameters", List.of());
                        Set<String> names = parameters.stream()
                                .map(parameter -> parameter.get("$ref").replaceFirst(".*/", ""))
                                .filter(name -> Character.isLowerCase(name.charAt(0)))
                                .collect(Collectors.toCollection(TreeSet::new));
                        operations.put(method.toUpperCase(java.util.Locale.ROOT) + " " + path, names);
                    }
                }));
        return operations;
    }

    @Test
    void every_mapping_is_documented_and_every_documented_operation_is_mapped() {
        Set<String> mapped = server
                .bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .keySet()
                .stream()
                .flatMap(info -> info.getMethodsCondition().getMethods().stream()
                        .flatMap(method -> info.getPatternValues().stream()
                                .filter(path -> path.startsWith(BASE))
                                .map(path -> method + " " + path.substring(BASE.length()))))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(mapped).hasSizeGreaterThan(50).isEqualTo(documented().keySet());
    }

    @Test
    void every_operation_knows_exactly_its_documented_parameters() {
        documented().forEach((operation, names) -> {
            if (operation.endsWith("openapi.yaml")) {
                return;
            }
            String[] parts = operation.split(" ");
            String path = parts[1].replaceAll("\\{(id|ordinal|number)}", "1").replaceAll("\\{\\w+}", "x.y");
            byte[] body = parts[0].equals("GET") || parts[0].equals("DELETE")
                    ? new byte[0]
                    : bodyFor(parts[1]).getBytes(StandardCharsets.UTF_8);
            Reply reply = server.send(parts[0], BASE + path + "?nonsense=1", body);

            assertThat(reply.status()).as(operation + ": " + reply.body()).isEqualTo(400);
            Matcher known = KNOWN.matcher(reply.field("rule"));
            assertThat(known.matches()).as(operation + ": " + reply.body()).isTrue();
            assertThat(new TreeSet<>(List.of(known.group(1).split(", *"))))
                    .as(operation)
                    .isEqualTo(names.isEmpty() ? new TreeSet<>(Set.of("")) : names);
        });
    }

    private static String bodyFor(String path) {
        return path.startsWith("/causes/{fingerprint}/")
                ? "{\"%s\":\"x\"}"
                        .formatted(
                                path.endsWith("assign")
                                        ? "owner"
                                        : path.endsWith("merge") ? "into" : path.replaceFirst(".*/", ""))
                        .replace("{\"resolve\":\"x\"}", "{}")
                        .replace("{\"ignore\":\"x\"}", "{}")
                : "{\"ids\":[1],\"expression\":\"$\",\"reason\":\"x\",\"settings\":{}}"
                        .replace(
                                path.equals("/redrives")
                                        ? ",\"expression\":\"$\",\"reason\":\"x\",\"settings\":{}"
                                        : "~",
                                "");
    }

    @Test
    void the_document_names_the_problem_for_every_operation() {
        ((Map<String, Map<String, Object>>) document().get("paths"))
                .forEach((path, item) -> item.forEach((method, value) -> {
                    if (METHODS.contains(method)) {
                        assertThat(((Map<String, Map<String, Object>>) value).get("responses"))
                                .as(method + " " + path)
                                .containsKey("default");
                    }
                }));
    }
}

package io.redrive.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.ActionFilter;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.server.TestServer;
import io.redrive.server.TestServer.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * Random requests to every operation of the OpenAPI document, from a caller that may look at everything and change nothing: no answer is
 * a mistake of the server, and nothing changes. {@code -Dredrive.seed=…} repeats a failure.
 */
final class FuzzIT {

    private static final int REQUESTS = 20_000;
    private static final long SEED = Long.getLong("redrive.seed", 20_261_117L);

    private static final List<String> WORDS = List.of(
            "",
            "0",
            "-1",
            "1",
            "9223372036854775807",
            "9223372036854775808",
            "1e400",
            "NaN",
            "null",
            "true",
            "\u0000",
            "a\nb",
            "order.*",
            "*",
            "**",
            "a.b",
            "'; drop table events;--",
            "<script>alert(1)</script>",
            "../../etc/passwd",
            "%00",
            "\ud83d",
            "\u202e",
            "x".repeat(5_000),
            "2026-01-01T00:00:00Z",
            "-999999999-01-01T00:00:00Z",
            "+1000000000-12-31T23:59:59Z",
            "PT1S",
            "99999999999d",
            "timeout",
            "${jndi:ldap://x}",
            "{{7*7}}",
            "[",
            "\"");
    private static final List<String> FIELDS = List.of(
            "name",
            "source",
            "id",
            "ids",
            "filter",
            "all",
            "limit",
            "expression",
            "samples",
            "owner",
            "note",
            "ticket",
            "fixed_in",
            "until",
            "letters",
            "into",
            "reason",
            "settings",
            "stage",
            "role",
            "names",
            "lifetime",
            "payload",
            "payload_base64",
            "content_type",
            "headers",
            "delay",
            "due",
            "deadline",
            "priority",
            "correlation_id",
            "ordering_key",
            "canary",
            "per_second",
            "stage_limit",
            "start",
            "verb",
            "why",
            "fingerprint",
            "include_redacted",
            "specversion",
            "type",
            "data",
            "data_base64",
            "time");
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/cloudevents+json",
            "application/cloudevents-batch+json",
            "text/plain",
            "x",
            "*/*",
            "application/json; charset=utf-16",
            "multipart/form-data; boundary=x",
            "application/x-www-form-urlencoded");

    /** Callers at the same time, each with random numbers of its own. */
    private static final int CALLERS = 4;

    @TempDir
    static Path folder;

    private static TestServer server;
    private static String viewer;

    /** The random numbers of a caller. */
    private final ThreadLocal<Random> numbers = new ThreadLocal<>();

    @BeforeAll
    static void start() {
        server = TestServer.start(folder, "auth: {required: true}\nlimits: {login-attempts: 1000000}\n");
        viewer = Operations.of(server.store(), Operator.named("test", Role.ADMIN))
                .tokens()
                .create("fuzz", Role.VIEWER, List.of(), java.util.Optional.empty())
                .text();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    @SuppressWarnings("unchecked")
    void no_request_is_a_mistake_of_the_server_and_a_refused_request_changes_nothing() {
        Map<String, Map<String, Object>> paths = (Map<String, Map<String, Object>>) ((Map<String, Object>)
                        new Yaml().load(server.get("/api/v1/openapi.yaml").body()))
                .get("paths");
        List<String> operations = paths.entrySet().stream()
                .filter(entry -> !entry.getKey().equals("/stream"))
                .flatMap(entry -> entry.getValue().keySet().stream()
                        .filter(method -> !method.equals("parameters"))
                        .map(method -> method.toUpperCase(java.util.Locale.ROOT) + " " + entry.getKey()))
                .toList();
        String before = state();
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        List<CompletableFuture<Void>> callers = IntStream.range(0, CALLERS)
                .mapToObj(caller -> CompletableFuture.runAsync(
                        () -> {
                            numbers.set(new Random(SEED + caller));
                            for (int i = 0; i < REQUESTS / CALLERS; i++) {
                                send(operations, "request " + i + " of caller " + caller + " of seed " + SEED);
                            }
                        },
                        threads))
                .toList();
        threads.shutdown();
        callers.forEach(CompletableFuture::join);
        assertThat(state()).isEqualTo(before);
    }

    private void send(List<String> operations, String which) {
        Random random = numbers.get();
        String[] operation = operations.get(random.nextInt(operations.size())).split(" ");
        String path = "/api/v1" + filled(operation[1]) + query();
        byte[] body = operation[0].equals("GET") ? new byte[0] : body();
        Reply reply = server.send(
                operation[0],
                path,
                body,
                "Authorization",
                random.nextInt(50) == 0 ? "Bearer " + header() : "Bearer " + viewer,
                "Content-Type",
                TYPES.get(random.nextInt(TYPES.size())),
                random.nextBoolean() ? "Idempotency-Key" : "ce-specversion",
                header());
        assertThat(reply.status())
                .as(which + ": " + operation[0] + " " + path + " " + reply.body())
                .isBetween(200, 499);
    }

    private static String state() {
        Operations all = Operations.of(server.store(), Operator.named("test", Role.ADMIN));
        return server.store().stats(Instant.now()).ready() + " "
                + all.actions(ActionFilter.ALL, 100).size() + " "
                + all.pauses().list() + " " + all.policies().shared() + " "
                + all.tokens().list().size() + " "
                + all.redrives().list(10);
    }

    private Random random() {
        return numbers.get();
    }

    private String word() {
        return WORDS.get(random().nextInt(WORDS.size()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private String filled(String path) {
        StringBuilder filled = new StringBuilder();
        for (String part : path.split("/")) {
            if (!part.isEmpty()) {
                String text = part.startsWith("{") ? word() : part;
                filled.append('/').append(part.startsWith("{") ? encoded(text.length() > 500 ? "x" : text) : text);
            }
        }
        return filled.toString();
    }

    private String query() {
        if (random().nextInt(3) == 0) {
            return "";
        }
        String name = random().nextInt(4) == 0
                ? word()
                : List.of(
                                "limit",
                                "cursor",
                                "name",
                                "since",
                                "until",
                                "order",
                                "last",
                                "slices",
                                "text",
                                "reason",
                                "package",
                                "correlation_id",
                                "due_before",
                                "stage",
                                "pipeline",
                                "action")
                        .get(random().nextInt(16));
        return "?" + encoded(name.length() > 500 ? "x" : name) + "=" + encoded(word());
    }

    private String header() {
        String text = word().replaceAll("[^\\x20-\\x7e]", "");
        return text.isBlank() ? "1.0" : text;
    }

    private byte[] body() {
        if (random().nextInt(6) == 0) {
            byte[] noise = new byte[random().nextInt(40)];
            random().nextBytes(noise);
            return noise;
        }
        return value(0).getBytes(StandardCharsets.UTF_8);
    }

    private String value(int depth) {
        int kind = depth > 3 ? random().nextInt(4) : random().nextInt(8);
        if (kind == 0) {
            return String.valueOf(random().nextLong());
        }
        if (kind == 1) {
            return List.of("true", "false", "null", "1e999", "-0", "1.5").get(random().nextInt(6));
        }
        if (kind < 4) {
            return quoted(word());
        }
        if (kind == 4) {
            return "[" + value(depth + 1) + "," + value(depth + 1) + "]";
        }
        StringBuilder object = new StringBuilder("{");
        int members = 1 + random().nextInt(5);
        for (int i = 0; i < members; i++) {
            object.append(i == 0 ? "" : ",")
                    .append(quoted(FIELDS.get(random().nextInt(FIELDS.size()))))
                    .append(':')
                    .append(value(depth + 1));
        }
        return object.append('}').toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars()
                .forEach(c -> quoted.append(
                        c < 0x20 || c == '"' || c == '\\' || c > 0x7e
                                ? String.format("\\u%04x", c)
                                : String.valueOf((char) c)));
        return quoted.append('"').toString();
    }
}

package io.redrive.server;

import io.redrive.events.EventStore;
import io.redrive.server.config.ConfigFile;
import io.redrive.server.config.ServerConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real server on a free port of loopback, and a client that talks to the server. */
public final class TestServer implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final ConfigurableApplicationContext context;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;

    private TestServer(ConfigurableApplicationContext context) {
        this.context = context;
        url = ServerStart.url(context);
    }

    /** Starts a server with this configuration, written to a file of the folder. */
    public static TestServer start(Path folder, String yaml) {
        return start(folder, yaml, folder.resolve("events.db").toString());
    }

    /** Starts a server on this store: a file, or a JDBC URL. */
    public static TestServer start(Path folder, String yaml, String store) {
        try {
            Path file = Files.writeString(folder.resolve("redrive.yml"), yaml);
            ServerConfiguration configuration = ServerConfiguration.of(ConfigFile.read(file), Map.of())
                    .withStore(store)
                    .with("redrive.http.port", "0");
            return new TestServer(ServerStart.run(configuration, Optional.of(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the documented paths below {@code /api/v1} that a request without a body reads, and that name no single thing. */
    public static List<String> plainLooks() {
        return OpenApiAnswers.documented().stream()
                .filter(operation -> operation.startsWith("GET ") && !operation.contains("{"))
                .map(operation -> operation.substring(4))
                .toList();
    }

    public String url() {
        return url;
    }

    public int port() {
        return URI.create(url).getPort();
    }

    public EventStore store() {
        return context.getBean(EventStore.class);
    }

    public <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    /** An answer of the server. */
    public record Reply(int status, String body, HttpResponse<byte[]> response) {

        public JsonNode json() {
            return JSON.readTree(body);
        }

        public String field(String name) {
            return json().path(name).asString("");
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    public Reply get(String path, String... headers) {
        return send("GET", path, new byte[0], headers);
    }

    public Reply post(String path, String json, String... headers) {
        return send("POST", path, json.getBytes(StandardCharsets.UTF_8), headers);
    }

    public Reply send(String method, String path, byte[] body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        boolean typed = false;
        for (int i = 0; i < headers.length; i += 2) {
            typed |= headers[i].equalsIgnoreCase("Content-Type");
            request.header(headers[i], headers[i + 1]);
        }
        if (!typed && body.length > 0) {
            request.header("Content-Type", "application/json");
        }
        return exchange(request.build());
    }

    private Reply exchange(HttpRequest request) {
        try {
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
            Reply reply =
                    new Reply(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8), response);
            OpenApiAnswers.check(
                    request.method(), request.uri(), reply.status(), reply.header("Content-Type"), reply.body());
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(request.method() + " " + request.uri(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}

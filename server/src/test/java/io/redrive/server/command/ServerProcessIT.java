package io.redrive.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.redrive.events.StoreStats;
import io.redrive.jdbc.SqliteStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server as a process of its own, which is told to stop with SIGTERM while a delivery and a request are under way. Its log is JSON.
 */
final class ServerProcessIT {

    private static final Pattern LISTENING = Pattern.compile("listens on (http://[^\\s;]+)");
    private static final long LIMIT = 120;
    private static final String INJECTED = "x\r\n{\"level\":\"ERROR\",\"message\":\"forged\"}\u001b[31m";

    @TempDir
    Path folder;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger received = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Answers when the test says so. */
    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            begun.countDown();
            answer.await();
            exchange.sendResponseHeaders(204, -1);
            received.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Process start(int receiver, Path log) throws IOException {
        Path file = Files.writeString(folder.resolve("redrive.yml"), """
                log: {format: json}
                webhooks: {allow: [127.0.0.1/32]}
                routes:
                  slow: {events: "order.*", url: "http://127.0.0.1:%d/", plain-http: true, signature: none}
                """.formatted(receiver));
        ProcessBuilder builder = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                RedriveServer.class.getName(),
                "serve",
                "--port",
                "0",
                "--store",
                folder.resolve("events.db").toString(),
                "--config",
                file.toString()));
        return builder.redirectError(log.toFile()).start();
    }

    /** Returns the URL of the server; the rest of its output is collected in {@code lines}. */
    private String url(Process process, List<String> lines) throws Exception {
        CompletableFuture<String> url = new CompletableFuture<>();
        threads.execute(() -> {
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    Matcher listening = LISTENING.matcher(line);
                    if (listening.find()) {
                        url.complete(listening.group(1));
                    } else {
                        lines.add(line);
                    }
                }
            } catch (IOException e) {
                url.completeExceptionally(e);
            }
        });
        return url.get(LIMIT, TimeUnit.SECONDS);
    }

    private HttpResponse<String> publish(String url, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(url + "/api/v1/events"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Sends the head and a half of the body of a request. */
    private static Socket beginRequest(URI url, byte[] body) throws IOException {
        Socket socket = new Socket(url.getHost(), url.getPort());
        OutputStream out = socket.getOutputStream();
        out.write(
                ("POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
                                + body.length + "\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        out.write(body, 0, body.length / 2);
        out.flush();
        return socket;
    }

    @Test
    void a_process_that_is_told_to_stop_ends_requests_and_deliveries_and_loses_nothing() throws Exception {
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 100);
        receiver.setExecutor(threads);
        receiver.createContext("/", this::receive);
        receiver.start();
        Path log = folder.resolve("server.err");
        List<String> lines = new CopyOnWriteArrayList<>();
        Process process = start(receiver.getAddress().getPort(), log);
        try {
            URI url = URI.create(url(process, lines));
            assertThat(publish(url.toString(), event("order.paid", "one")).statusCode())
                    .isEqualTo(202);
            assertThat(begun.await(LIMIT, TimeUnit.SECONDS))
                    .as("the delivery is under way")
                    .isTrue();
            String forged = new JsonMapper().writeValueAsString(Map.of("name", INJECTED, "source", INJECTED));
            assertThat(publish(url.toString(), forged).statusCode()).isEqualTo(400);
            Files.writeString(folder.resolve("redrive.yml"), "log: {format: " + quoted(INJECTED) + "}");
            await().atMost(LIMIT, TimeUnit.SECONDS)
                    .until(() -> lines.stream().anyMatch(line -> line.contains("forged")));
            byte[] second = event("mail.sent", "two").getBytes(StandardCharsets.UTF_8);
            try (Socket half = beginRequest(url, second)) {
                process.destroy();
                half.getOutputStream().write(second, second.length / 2, second.length - second.length / 2);
                half.getOutputStream().flush();
                String reply = new String(half.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                boolean accepted = reply.startsWith("HTTP/1.1 202");
                answer.countDown();
                assertThat(process.waitFor(LIMIT, TimeUnit.SECONDS)).isTrue();
                assertThat(received.get()).as("sent once, and answered").isEqualTo(1);
                try (SqliteStore store = SqliteStore.open(folder.resolve("events.db"))) {
                    StoreStats stats = store.stats(Instant.now());
                    assertThat(stats.claimed()).as("no lease stays behind").isZero();
                    assertThat(stats.dead()).isZero();
                    assertThat(stats.ready() + stats.delayed())
                            .as("the delivery is done; an accepted event waits for a handler: " + reply)
                            .isEqualTo(accepted ? 1 : 0);
                }
            }
        } finally {
            answer.countDown();
            process.destroyForcibly().waitFor();
            receiver.stop(0);
            threads.shutdownNow();
        }
        isJson(lines);
        assertThat(Files.readString(log)).as("nothing beside the log").doesNotContain("forged");
    }

    private static String quoted(String text) {
        return new JsonMapper().writeValueAsString(text);
    }

    private static String event(String name, String id) {
        return "{\"name\":\"" + name + "\",\"source\":\"test\",\"id\":\"" + id + "\",\"payload\":1}";
    }

    /** Each line is one object of the log; a value with line breaks made no line of its own. */
    private static void isJson(List<String> lines) {
        JsonMapper json = new JsonMapper();
        assertThat(lines).isNotEmpty().allSatisfy(line -> {
            JsonNode object = json.readTree(line);
            assertThat(object.path("@timestamp").asString("")).isNotEmpty();
            assertThat(object.path("message").asString("")).isNotEqualTo("forged");
            assertThat(line.chars()).noneMatch(Character::isISOControl);
        });
    }
}

package io.redrive.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.redrive.cli.command.JsonObject;
import io.redrive.core.Time;
import io.redrive.pipelinefiles.JsonValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import tools.jackson.core.JsonPointer;

/**
 * An HTTP service on loopback that behaves like a language model behind an API. Answers slowly, limits calls per second ({@code 429}
 * with {@code Retry-After}), is down for some calls ({@code 503}), hangs for others, and fails on some texts unless it is fixed.
 */
final class DemoModel implements AutoCloseable {

    private static final int CALLS_PER_SECOND = 60;
    private static final int DOWN_EVERY = 23;
    private static final int HANGS_EVERY = 131;
    private static final int SHORTEST_MILLIS = 20;
    private static final int MILLIS_SPREAD = 60;
    private static final int SUMMARY_WORDS = 7;
    private static final String FAILS_ON = "§";
    private static final JsonPointer PROMPT = JsonPointer.compile("/prompt");
    private static final JsonPointer INPUT = JsonPointer.compile("/input");

    static {
        // Read once, at the first server. Without this property each answer waits 40 ms for a delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Time time;
    private final boolean fixed;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicLong calls = new AtomicLong();
    private long second;
    private int callsInSecond;

    private record Answer(int status, String body) {}

    /**
     * Starts the service.
     *
     * @param port the port; 0 for any free port
     * @param fixed true for a service that fails on no text
     */
    DemoModel(int port, boolean fixed, Time time) throws IOException {
        this.fixed = fixed;
        this.time = time;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/v1/complete", exchange -> serve(exchange, this::complete));
        server.createContext("/v1/embeddings", exchange -> serve(exchange, this::embed));
        server.setExecutor(threads);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private interface Service {
        Answer answer(JsonValue request);
    }

    private void serve(HttpExchange exchange, Service service) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            long call = calls.incrementAndGet();
            Answer answer;
            if (call % HANGS_EVERY == 0) {
                closing.await();
                return;
            } else if (isTooQuick()) {
                exchange.getResponseHeaders().set("Retry-After", "1");
                answer = error(429, "no more than " + CALLS_PER_SECOND + " calls a second");
            } else if (call % DOWN_EVERY == 0) {
                answer = error(503, "the model is being loaded");
            } else {
                closing.await(SHORTEST_MILLIS + Math.floorMod(body.hashCode(), MILLIS_SPREAD), TimeUnit.MILLISECONDS);
                answer = service.answer(JsonValue.parse(body));
            }
            send(exchange, answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.status(), bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private synchronized boolean isTooQuick() {
        long now = time.nanos() / Duration.ofSeconds(1).toNanos();
        if (now != second) {
            second = now;
            callsInSecond = 0;
        }
        callsInSecond++;
        return callsInSecond > CALLS_PER_SECOND;
    }

    private Answer complete(JsonValue request) {
        String prompt = request.at(PROMPT).map(JsonValue::text).orElse("");
        if (!fixed && prompt.contains(FAILS_ON)) {
            return error(422, "unexpected character " + FAILS_ON);
        }
        String text = prompt.substring(prompt.indexOf(':') + 1).strip();
        String summary =
                List.of(text.split("\\s+")).stream().limit(SUMMARY_WORDS).collect(Collectors.joining(" "));
        List<JsonObject> choices = List.of(new JsonObject().put("text", summary + "…"));
        return new Answer(200, new JsonObject().put("choices", choices).toString());
    }

    private Answer embed(JsonValue request) {
        JsonValue input = request.at(INPUT).orElse(JsonValue.Word.NULL);
        if (!(input instanceof JsonValue.Arr texts)) {
            return error(400, "input must be an array");
        }
        List<JsonObject> data = texts.items().stream()
                .map(text -> new JsonObject().put("embedding", embedding(text.text())))
                .toList();
        return new Answer(200, new JsonObject().put("data", data).toString());
    }

    private static List<Long> embedding(String text) {
        return List.of(
                (long) text.length(),
                text.chars().filter(c -> "aeiou".indexOf(c) >= 0).count(),
                text.chars().filter(c -> c == ' ').count() + 1);
    }

    private static Answer error(int status, String message) {
        return new Answer(status, new JsonObject().put("error", message).toString());
    }
}

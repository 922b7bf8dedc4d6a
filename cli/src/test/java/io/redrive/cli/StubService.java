package io.redrive.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** An HTTP service on loopback for the HTTP stages of a run; the test decides each answer. */
final class StubService implements AutoCloseable {

    static {
        // Without this property each answer waits 40 ms for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final Function<Request, Answer> answers;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "stub-service");
        thread.setDaemon(true);
        return thread;
    });
    private final CountDownLatch closing = new CountDownLatch(1);
    final List<Request> requests = new CopyOnWriteArrayList<>();

    record Request(String path, String body) {}

    /**
     * The response to one request.
     *
     * @param delay time between the request and the response
     */
    record Answer(int status, String body, Duration delay) {
        static Answer ok(String body) {
            return new Answer(200, body, Duration.ZERO);
        }

        static Answer late(Duration delay, String body) {
            return new Answer(200, body, delay);
        }

        static Answer status(int status) {
            return new Answer(status, "{\"error\":\"because\"}", Duration.ZERO);
        }
    }

    StubService(Function<Request, Answer> answers) throws IOException {
        this.answers = answers;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Request request = new Request(exchange.getRequestURI().getPath(), body);
            requests.add(request);
            Answer answer = answers.apply(request);
            closing.await(answer.delay().toMillis(), TimeUnit.MILLISECONDS);
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

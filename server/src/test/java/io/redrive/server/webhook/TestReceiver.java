package io.redrive.server.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A receiver of webhooks on loopback that records requests and answers as told. */
final class TestReceiver implements AutoCloseable {

    /** A request as it arrived. */
    record Request(String path, Map<String, List<String>> headers, byte[] body) {

        String header(String name) {
            return headers.getOrDefault(name, List.of("")).get(0);
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** What the receiver answers. */
    record Reply(int status, Map<String, String> headers, String body) {}

    /** Decides what to answer. */
    interface Replies {
        Reply to(Request request);
    }

    static final Reply OK = new Reply(204, Map.of(), "");

    final List<Request> requests = new CopyOnWriteArrayList<>();
    /** The ports of the senders: one for each connection. */
    final Set<Integer> connections = ConcurrentHashMap.newKeySet();

    volatile Replies replies = request -> OK;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    TestReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    void answers(int status, String... headersAndBody) {
        Map<String, String> headers = new TreeMap<>();
        for (int i = 0; i + 1 < headersAndBody.length; i += 2) {
            headers.put(headersAndBody[i], headersAndBody[i + 1]);
        }
        String body = headersAndBody.length % 2 == 1 ? headersAndBody[headersAndBody.length - 1] : "";
        replies = request -> new Reply(status, headers, body);
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    int port() {
        return server.getAddress().getPort();
    }

    Request last() {
        return requests.get(requests.size() - 1);
    }

    private void answer(HttpExchange exchange) throws IOException {
        connections.add(exchange.getRemoteAddress().getPort());
        try (exchange) {
            Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            headers.putAll(exchange.getRequestHeaders());
            Request request = new Request(
                    exchange.getRequestURI().toString(),
                    headers,
                    exchange.getRequestBody().readAllBytes());
            requests.add(request);
            Reply reply = replies.to(request);
            reply.headers().forEach(exchange.getResponseHeaders()::add);
            byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

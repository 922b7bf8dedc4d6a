package io.redrive.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** A receiver of webhooks on loopback: answers 204 at once, or never on the path {@link #HANGS}. */
final class DeliverySink implements AutoCloseable {

    /** Requests to this path get no answer. */
    static final String HANGS = "/hangs";
    /** Requests to this path are answered and not counted. */
    static final String OTHER = "/other";

    static {
        // Without this property each answer waits 40 ms for the client's delayed acknowledgement. Read once, by the
        // first server.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "1000");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Consumer<byte[]> received = body -> {};

    DeliverySink() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 1_000);
        server.setExecutor(threads);
        server.createContext("/", this::take);
        server.createContext(HANGS, exchange -> hang());
        server.createContext(OTHER, exchange -> answer(exchange));
        server.start();
    }

    /** Hands the body of each request to {@code taker}. */
    void onReceived(Consumer<byte[]> taker) {
        received = taker;
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private void take(HttpExchange exchange) throws IOException {
        received.accept(answer(exchange));
    }

    private static byte[] answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            return body;
        }
    }

    private void hang() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}

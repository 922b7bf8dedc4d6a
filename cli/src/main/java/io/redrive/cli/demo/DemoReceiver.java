package io.redrive.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A receiver of webhooks on loopback that fails as receivers do: every seventh request is answered with 503, every eleventh with 429
 * and a wait of a second.
 */
final class DemoReceiver implements AutoCloseable {

    private static final int UNAVAILABLE_EVERY = 7;
    private static final int TOO_MANY_EVERY = 11;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();

    DemoReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/shipments", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/shipments";
    }

    /** Returns the number of requests that were answered with 200. */
    long accepted() {
        return accepted.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            long request = requests.incrementAndGet();
            int status = request % UNAVAILABLE_EVERY == 0 ? 503 : request % TOO_MANY_EVERY == 0 ? 429 : 200;
            if (status == 429) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            if (status == 200) {
                accepted.incrementAndGet();
            }
            byte[] body = (status == 200 ? "thanks" : "not now").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

package io.redrive.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server on loopback that answers each path with a script of statuses; the last status repeats. */
final class FlakyServer implements AutoCloseable {

    static {
        // Read once, at the first server. Without this property each answer waits 40 ms for a delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;

    FlakyServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    /** Adds a path. An answer with status 429 has a {@code Retry-After} of one second. */
    Script script(String path, int... statuses) {
        Script script = new Script(URI.create("http://" + address() + path), statuses, new AtomicInteger());
        server.createContext(path, script::answer);
        return script;
    }

    String address() {
        return server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** The statuses of a path, and the number of requests so far. */
    record Script(URI uri, int[] statuses, AtomicInteger requests) {

        private void answer(HttpExchange exchange) throws IOException {
            int status = statuses[Math.min(requests.getAndIncrement(), statuses.length - 1)];
            if (status == 429) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            byte[] body = (status < 400 ? "hello" : "not now").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }
    }
}

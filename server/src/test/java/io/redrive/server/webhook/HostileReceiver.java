package io.redrive.server.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A destination that speaks HTTP badly, on loopback. */
final class HostileReceiver implements AutoCloseable {

    /** What the destination does with a connection after the head of the request. */
    interface Behavior {
        void with(Socket socket, CountDownLatch closed) throws IOException, InterruptedException;
    }

    static final Behavior HANGS = (socket, closed) -> closed.await();
    static final Behavior RESETS = (socket, closed) -> socket.setSoLinger(true, 0);
    static final Behavior GARBLES = (socket, closed) -> write(socket, "\0\1\2 what is HTTP?\r\n\r\n");

    /** One answer, and the end of the connection. */
    static Behavior answers(String text) {
        return (socket, closed) -> write(socket, text);
    }

    /** A head at once, then a byte in each interval. */
    static Behavior drips(String head, long millis) {
        return (socket, closed) -> {
            write(socket, head);
            while (!closed.await(millis, TimeUnit.MILLISECONDS)) {
                write(socket, "x");
            }
        };
    }

    static final Behavior FLOODS = (socket, closed) -> {
        write(socket, "HTTP/1.1 500 Error\r\nContent-Length: 104857600\r\n\r\n");
        byte[] much = new byte[1 << 20];
        for (int i = 0; i < 100; i++) {
            socket.getOutputStream().write(much);
        }
    };

    static final Behavior HUGE_HEADERS = (socket, closed) -> {
        write(socket, "HTTP/1.1 200 OK\r\n");
        for (int i = 0; i < 100_000; i++) {
            write(socket, "X-" + i + ": " + "y".repeat(100) + "\r\n");
        }
    };

    final AtomicInteger connections = new AtomicInteger();
    private final ServerSocket server;
    private final Behavior behavior;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    HostileReceiver(Behavior behavior) throws IOException {
        this.behavior = behavior;
        server = new ServerSocket(0, 1_000, InetAddress.getByName("127.0.0.1"));
        threads.execute(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/";
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                connections.incrementAndGet();
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            readHead(socket.getInputStream());
            behavior.with(socket, closed);
        } catch (IOException | InterruptedException theClientLeft) {
            // The destination has shown what it does.
        }
    }

    private static void readHead(InputStream in) throws IOException {
        int matched = 0;
        for (int c = in.read(); c >= 0 && matched < 4; c = matched < 4 ? in.read() : c) {
            matched = c == "\r\n\r\n".charAt(matched) ? matched + 1 : 0;
            if (matched == 4) {
                return;
            }
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        server.close();
        threads.shutdownNow();
    }
}

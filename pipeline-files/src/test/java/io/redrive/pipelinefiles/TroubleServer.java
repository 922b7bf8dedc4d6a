package io.redrive.pipelinefiles;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An HTTP server on plain sockets of the loopback interface, which can break the protocol on purpose. */
public final class TroubleServer implements AutoCloseable {

    private final ServerSocket server;
    private final Function<Request, Answer> answers;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "trouble");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicInteger connections = new AtomicInteger();
    public final List<Request> requests = new CopyOnWriteArrayList<>();

    /** A request as received. */
    public record Request(String method, String path, Map<String, String> headers, String body) {}

    /** The reaction of the server to a request. */
    public sealed interface Answer {
        record Reply(int status, Map<String, String> headers, String body) implements Answer {}

        /** Replies after a delay. */
        record Late(Duration after, String body) implements Answer {}

        /** Resets the connection. */
        record Reset() implements Answer {}

        /** Keeps the connection open without a reply until the server closes. */
        record Hang() implements Answer {}

        /** Sends fewer bytes than the content length promises, and closes the connection. */
        record Cut(int promised, String sent) implements Answer {}

        /** Promises a long body, and sends one byte after each pause. */
        record Drip(int bytes, Duration each) implements Answer {}

        static Answer ok(String body) {
            return new Reply(200, Map.of(), body);
        }

        static Answer status(int status) {
            return new Reply(status, Map.of(), "{\"error\":\"because\"}");
        }

        static Answer busy(String retryAfter) {
            return new Reply(429, Map.of("Retry-After", retryAfter), "slow down");
        }
    }

    public TroubleServer(Function<Request, Answer> answers) throws IOException {
        this.answers = answers;
        server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.getLocalPort() + path;
    }

    /** Returns the number of connections that clients have opened. */
    public int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                connections.incrementAndGet();
                open.add(socket);
                threads.execute(() -> serve(socket));
            }
        } catch (IOException e) {
            closing.countDown();
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (Request request = read(in); request != null; request = read(in)) {
                requests.add(request);
                if (!send(answers.apply(request), socket)) {
                    return;
                }
            }
        } catch (IOException e) {
            // The client closed the connection, as some tests make the client do.
            open.remove(socket);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean send(Answer answer, Socket socket) throws IOException, InterruptedException {
        if (answer instanceof Answer.Reply reply) {
            write(socket, reply.status(), reply.headers(), reply.body().getBytes(StandardCharsets.UTF_8));
            return true;
        }
        if (answer instanceof Answer.Late late) {
            closing.await(late.after().toMillis(), TimeUnit.MILLISECONDS);
            write(socket, 200, Map.of(), late.body().getBytes(StandardCharsets.UTF_8));
            return true;
        }
        if (answer instanceof Answer.Reset) {
            socket.setSoLinger(true, 0);
        } else if (answer instanceof Answer.Hang) {
            closing.await();
        } else if (answer instanceof Answer.Cut cut) {
            String head = "HTTP/1.1 200 OK\r\nContent-Length: " + cut.promised() + "\r\n\r\n";
            socket.getOutputStream().write((head + cut.sent()).getBytes(StandardCharsets.US_ASCII));
        } else {
            drip((Answer.Drip) answer, socket);
        }
        return false;
    }

    private void drip(Answer.Drip drip, Socket socket) throws IOException, InterruptedException {
        OutputStream out = socket.getOutputStream();
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + drip.bytes() + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < drip.bytes(); i++) {
            out.write(' ');
            out.flush();
            if (closing.await(drip.each().toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    private static void write(Socket socket, int status, Map<String, String> headers, byte[] body) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " X\r\nContent-Length: " + body.length + "\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        all.writeBytes(body);
        socket.getOutputStream().write(all.toByteArray());
    }

    private static @Nullable Request read(InputStream in) throws IOException {
        String first = line(in);
        if (first.isEmpty()) {
            return null;
        }
        String[] words = first.split(" ");
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String[] parts = line.split(": ?", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new Request(words[0], words[1], headers, body);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            line.write(b);
        }
        return line.toString(StandardCharsets.UTF_8).strip();
    }
}

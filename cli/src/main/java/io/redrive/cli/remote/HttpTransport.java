package io.redrive.cli.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends requests with {@link HttpURLConnection}. The first request of {@code java.net.http} takes about a quarter of a
 * second of a small command: its client starts threads, and prepares TLS for plain connections too. Redirects are not followed,
 * and a change is sent once: when its connection breaks, the caller decides about another try.
 */
final class HttpTransport {

    /** How long a connection may take. */
    static final Duration CONNECT = Duration.ofSeconds(5);

    private HttpTransport() {}

    /** A body and its media type. */
    record Body(byte[] bytes, String type) {

        static Body of(String text, String type) {
            return new Body(text.getBytes(StandardCharsets.UTF_8), type);
        }
    }

    /**
     * A request.
     *
     * @param authorization the value of the header of that name
     * @param body what a change sends
     * @param limit how long the server may be silent
     */
    record Request(String method, URI uri, Optional<String> authorization, Optional<Body> body, Duration limit) {}

    /** An answer, with the headers that commands read; the type is empty when the server names none. */
    record Answer(int status, String type, String body, Optional<String> retryAfter, Optional<String> location) {}

    /** The server did not accept a connection within {@link #CONNECT}. */
    static final class NotConnectedException extends IOException {

        private static final long serialVersionUID = 1L;

        NotConnectedException(SocketTimeoutException cause) {
            super(cause);
        }
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @throws NotConnectedException when the server accepts no connection in time
     * @throws SocketTimeoutException when the server is silent for too long
     */
    static Answer send(Request request) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) request.uri().toURL().openConnection();
        connection.setRequestMethod(request.method());
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout((int) CONNECT.toMillis());
        connection.setReadTimeout((int) request.limit().toMillis());
        connection.setRequestProperty("Accept", "application/json, application/problem+json");
        request.authorization().ifPresent(value -> connection.setRequestProperty("Authorization", value));
        if (request.body().isPresent()) {
            Body body = request.body().get();
            connection.setRequestProperty("Content-Type", body.type());
            connection.setDoOutput(true);
            // Without a fixed length, the JDK keeps the body and sends it again when the connection breaks.
            connection.setFixedLengthStreamingMode(body.bytes().length);
            connect(connection);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body.bytes());
            }
        } else {
            connect(connection);
        }
        return answer(connection);
    }

    private static void connect(HttpURLConnection connection) throws IOException {
        try {
            connection.connect();
        } catch (SocketTimeoutException e) {
            throw new NotConnectedException(e);
        }
    }

    private static Answer answer(HttpURLConnection connection) throws IOException {
        int status = status(connection);
        if (status < 0) {
            throw new IOException("the answer is no HTTP");
        }
        return new Answer(
                status,
                Optional.ofNullable(connection.getContentType()).orElse(""),
                body(connection, status),
                Optional.ofNullable(connection.getHeaderField("Retry-After")),
                Optional.ofNullable(connection.getHeaderField("Location")));
    }

    /** The JDK would answer 401 and 407 with credentials of its own, had it any, and has no body to send again. */
    private static int status(HttpURLConnection connection) throws IOException {
        try {
            return connection.getResponseCode();
        } catch (HttpRetryException e) {
            return e.responseCode();
        }
    }

    /** Reads the body to its end, after which the next request uses the same connection. */
    private static String body(HttpURLConnection connection, int status) throws IOException {
        try (InputStream in = status >= HttpURLConnection.HTTP_BAD_REQUEST
                ? connection.getErrorStream()
                : connection.getInputStream()) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

package io.redrive.server.webhook.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hc.client5.http.impl.DefaultConnectionKeepAliveStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * One connection of HTTP/1.1 and its current exchange. One thread uses a connection; {@link #expire} and {@link #close} may come from
 * any thread, and make a blocked call of that thread fail.
 */
final class PlainConnection {

    private static final HttpCoreContext NO_CONTEXT = HttpCoreContext.create();
    private static final byte[] NO_BODY = new byte[0];
    private static final int FIRST_FINAL_STATUS = 200;
    private static final int SWITCHING_PROTOCOLS = 101;

    private final DefaultBHttpClientConnection connection =
            new DefaultBHttpClientConnection(ExchangeLimits.HEAD_LIMITS);
    /** Set before the connection is made, so that an alarm can close a socket that is still connecting. */
    private volatile @Nullable Socket socket;

    private volatile boolean expired;

    private @Nullable BasicClassicHttpRequest request;
    private @Nullable ClassicHttpResponse response;
    private byte[] body = NO_BODY;
    private boolean cut;
    private boolean reusable;
    private long restsSince;
    private long restsUntil;

    boolean isConnected() {
        return connection.isOpen();
    }

    /** Connects. An interrupt of the thread closes a socket that belongs to a channel, and no other socket. */
    void connect(InetSocketAddress address) throws IOException {
        Socket made = SocketChannel.open().socket();
        socket = made;
        if (expired) {
            made.close();
        }
        made.setTcpNoDelay(true);
        try {
            made.connect(address, (int) ExchangeLimits.CONNECT_LIMIT.toMillis());
        } catch (ConnectException e) {
            ConnectException named = new ConnectException(address + " refused the connection: " + e.getMessage());
            named.initCause(e);
            throw named;
        }
        connection.bind(made);
    }

    /** Sends head and body. */
    void send(OutgoingRequest outgoing, HttpHost target) throws IOException, HttpException {
        reusable = false;
        response = null;
        body = NO_BODY;
        cut = false;
        BasicClassicHttpRequest head = new BasicClassicHttpRequest(Method.POST, outgoing.path());
        request = head;
        head.addHeader("Host", target.toHostString());
        outgoing.headers().forEach(head::addHeader);
        head.addHeader("Content-Length", Integer.toString(outgoing.body().length));
        head.addHeader("Connection", "keep-alive");
        if (!head.containsHeader("User-Agent")) {
            head.addHeader("User-Agent", ExchangeLimits.USER_AGENT);
        }
        head.setEntity(new ByteArrayEntity(outgoing.body(), null));
        try {
            connection.sendRequestHeader(head);
            connection.sendRequestEntity(head);
            connection.flush();
        } catch (IOException e) {
            receiveEarlyHead(e);
        }
    }

    /** A destination may answer before it has read a large body, and close. */
    private void receiveEarlyHead(IOException whileSending) throws IOException {
        if (expired || Thread.currentThread().isInterrupted()) {
            throw whileSending;
        }
        try {
            receiveHead();
        } catch (IOException | HttpException noAnswer) {
            whileSending.addSuppressed(noAnswer);
            throw whileSending;
        }
    }

    /** Receives the head of the answer, unless it came early. */
    void receiveHead() throws IOException, HttpException {
        while (response == null) {
            ClassicHttpResponse head = connection.receiveResponseHeader();
            if (head.getCode() >= FIRST_FINAL_STATUS || head.getCode() == SWITCHING_PROTOCOLS) {
                // 204 and 304 have no body, and no length which says so.
                if (MessageSupport.canResponseHaveBody(Method.POST.name(), head)) {
                    connection.receiveResponseEntity(head);
                }
                response = head;
            }
        }
        reusable = !hasBody() && staysOpen();
    }

    private boolean staysOpen() {
        ClassicHttpResponse head = head();
        return head.getCode() >= FIRST_FINAL_STATUS
                && DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, head, NO_CONTEXT);
    }

    private ClassicHttpResponse head() {
        if (response == null) {
            throw new IllegalStateException("the head of the answer was not received");
        }
        return response;
    }

    boolean hasBody() {
        return head().getEntity() != null;
    }

    /** Receives the body as far as it is kept. A body that ends in a failure is cut: the status was received. */
    void receiveBody() {
        HttpEntity entity = head().getEntity();
        int length = 0;
        byte[] room = new byte[Answer.MAX_BODY];
        byte[] rest = NO_BODY;
        try {
            // Not closed: the end of a stream reads what is left of the body.
            InputStream in = entity.getContent();
            int read = 0;
            for (int more = 0; more >= 0 && read <= AnswerConsumer.MOST_READ; read += Math.max(0, more)) {
                if (length < room.length) {
                    more = in.read(room, length, room.length - length);
                    length += Math.max(0, more);
                } else {
                    rest = rest.length == 0 ? new byte[Answer.MAX_BODY] : rest;
                    more = in.read(rest, 0, rest.length);
                }
                if (more < 0) {
                    reusable = staysOpen();
                }
            }
            cut = read > length;
        } catch (IOException e) {
            cut = true;
        }
        body = Arrays.copyOf(room, length);
    }

    /** Returns the answer as far as it was received. */
    Answer answer() {
        List<Map.Entry<String, String>> headers = AnswerConsumer.limited(head().getHeaders());
        return new Answer(head().getCode(), headers, body, cut);
    }

    /** Returns true when the answer was read to its end and the destination keeps the connection open. */
    boolean isReusable() {
        return reusable && !expired && connection.isOpen();
    }

    /** Begins to wait for the next exchange, as long as the destination keeps the connection. */
    void rest(long now) {
        TimeValue most = TimeValue.of(ExchangeLimits.KEEP_IDLE);
        if (head().containsHeader("Keep-Alive")) {
            TimeValue said = DefaultConnectionKeepAliveStrategy.INSTANCE.getKeepAliveDuration(response, null);
            most = TimeValue.isPositive(said) && said.compareTo(most) < 0 ? said : most;
        }
        restsSince = now;
        restsUntil = now + most.toNanoseconds();
        request = null;
        response = null;
        body = NO_BODY;
    }

    boolean isRestOver(long now) {
        return now - restsUntil >= 0;
    }

    /** Returns true unless the destination has closed the connection, or is about to. */
    boolean isUsable(long now) {
        if (isRestOver(now)) {
            return false;
        }
        try {
            return now - restsSince < ExchangeLimits.CHECK_AFTER.toNanos() || !connection.isStale();
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends the exchange because its time is over. */
    void expire() {
        expired = true;
        close();
    }

    void markExpired() {
        expired = true;
    }

    boolean isExpired() {
        return expired;
    }

    void close() {
        connection.close(CloseMode.IMMEDIATE);
        Socket made = socket;
        if (made != null) {
            try {
                made.close();
            } catch (IOException e) {
                // A socket that cannot be closed is closed already.
            }
        }
    }
}

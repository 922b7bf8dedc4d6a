package io.redrive.server.webhook.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncResponseConsumer;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the head of an answer and the first bytes of its body, and gives up on a body that is too long to be worth keeping the
 * connection for. The I/O thread writes, the sender reads.
 */
final class AnswerConsumer implements AsyncResponseConsumer<Answer> {

    /** A longer body costs more to read than a new connection. */
    static final int MOST_READ = 64 * 1024;

    private static final byte[] NONE = new byte[0];

    /** The first bytes of the body; most answers have none. */
    private volatile byte[] kept = NONE;

    private volatile @Nullable List<Map.Entry<String, String>> headers;
    private volatile int status;
    private volatile int read;
    private volatile @Nullable FutureCallback<Answer> callback;

    /** Returns the answer as far as it came; empty before its head. */
    Optional<Answer> soFar() {
        return answer(true);
    }

    private Optional<Answer> answer(boolean cut) {
        List<Map.Entry<String, String>> head = headers;
        if (head == null) {
            return Optional.empty();
        }
        byte[] body = kept;
        return Optional.of(
                new Answer(status, head, Arrays.copyOf(body, Math.min(read, body.length)), cut || read > body.length));
    }

    @Override
    public void consumeResponse(
            HttpResponse response,
            @Nullable EntityDetails entity,
            HttpContext context,
            FutureCallback<Answer> whenDone) {
        status = response.getCode();
        callback = whenDone;
        if (entity != null) {
            kept = new byte[Answer.MAX_BODY];
        }
        // Written last: a reader that sees the headers sees the rest.
        headers = limited(response.getHeaders());
        if (entity == null) {
            complete();
        }
    }

    private void complete() {
        FutureCallback<Answer> done = callback;
        if (done != null) {
            answer(false).ifPresent(done::completed);
        }
    }

    /** Returns the first headers, up to {@link Answer#MAX_HEADERS} characters. */
    static List<Map.Entry<String, String>> limited(Header[] all) {
        List<Map.Entry<String, String>> kept = new ArrayList<>();
        int room = Answer.MAX_HEADERS;
        for (Header header : all) {
            String value = header.getValue() == null ? "" : header.getValue();
            room -= header.getName().length() + value.length() + 3;
            if (room < 0) {
                break;
            }
            kept.add(Map.entry(header.getName(), value));
        }
        return kept;
    }

    @Override
    public void updateCapacity(CapacityChannel capacity) throws IOException {
        capacity.update(Integer.MAX_VALUE);
    }

    @Override
    public void consume(ByteBuffer bytes) throws IOException {
        int more = bytes.remaining();
        byte[] room = kept;
        if (read < room.length) {
            bytes.get(room, read, Math.min(more, room.length - read));
        }
        bytes.position(bytes.limit());
        read += more;
        if (read > MOST_READ) {
            throw new IOException("the body of the answer is longer than " + MOST_READ + " bytes");
        }
    }

    @Override
    public void streamEnd(@Nullable List<? extends Header> trailers) {
        complete();
    }

    @Override
    public void informationResponse(HttpResponse response, HttpContext context) {
        // An interim answer says nothing about the delivery.
    }

    @Override
    public void failed(Exception cause) {
        FutureCallback<Answer> done = callback;
        if (done != null) {
            done.failed(cause);
        }
    }

    @Override
    public void releaseResources() {
        callback = null;
    }
}

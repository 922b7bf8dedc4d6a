package io.redrive.server.webhook.signature;

import java.nio.charset.StandardCharsets;

/**
 * The signed parts of a webhook: id, timestamp and body, joined by full stops.
 *
 * @param id the {@code webhook-id}; the same on every attempt
 * @param timestamp the {@code webhook-timestamp}, in seconds since 1970; the time of the attempt
 * @param body the bytes of the body
 */
public record SignedMessage(String id, long timestamp, byte[] body) {

    byte[] content() {
        byte[] head = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        byte[] content = new byte[head.length + body.length];
        System.arraycopy(head, 0, content, 0, head.length);
        System.arraycopy(body, 0, content, head.length, body.length);
        return content;
    }

    @Override
    public String toString() {
        return id + " " + timestamp + " (" + body.length + " bytes)";
    }
}

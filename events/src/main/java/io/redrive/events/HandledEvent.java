package io.redrive.events;

import io.redrive.events.cause.ServiceVersion;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An event that was handled, as a sample keeps the event: a long payload and long header values are cut.
 *
 * @param event the event; its payload may be the beginning of the payload
 * @param payloadSize the bytes of the whole payload
 * @param handledAt when the store had settled the event as done, in microseconds
 * @param node the node that handled the event
 * @param version the version of the service on that node; empty when unknown
 */
public record HandledEvent(
        Event event, int payloadSize, Instant handledAt, String node, Optional<ServiceVersion> version) {

    /** The most bytes of a payload in a sample. */
    public static final int MAX_PAYLOAD = 4_096;

    /** The most characters of a header's value in a sample. */
    public static final int MAX_HEADER = 200;

    private static final int MAX_NODE = 200;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException when the payload is longer than allowed or longer than {@code payloadSize}
     */
    public HandledEvent {
        if (event.payloadSize() > MAX_PAYLOAD || event.payloadSize() > payloadSize) {
            throw new IllegalArgumentException("the payload of a handled event must be at most " + MAX_PAYLOAD
                    + " bytes and at most payloadSize " + payloadSize + ", got " + event.payloadSize());
        }
        if (node.isBlank() || node.length() > MAX_NODE) {
            throw new IllegalArgumentException(
                    "node must be 1 to " + MAX_NODE + " characters, not blank; got " + node.length() + " characters");
        }
        handledAt = handledAt.truncatedTo(ChronoUnit.MICROS);
    }

    /** Returns the event as a sample keeps it: the beginning of its payload and of its header values. */
    public static HandledEvent of(Event event, Instant handledAt, String node, Optional<ServiceVersion> version) {
        return new HandledEvent(beginningOf(event), event.payloadSize(), handledAt, node, version);
    }

    /** Returns the event with its payload cut at {@link #MAX_PAYLOAD} bytes and header values at {@link #MAX_HEADER} characters. */
    public static Event beginningOf(Event event) {
        boolean longHeaders = event.headers().values().stream().anyMatch(value -> value.length() > MAX_HEADER);
        if (event.payloadSize() <= MAX_PAYLOAD && !longHeaders) {
            return event;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        event.headers().forEach((name, value) -> headers.put(name, beginningOf(value)));
        byte[] payload = event.payload();
        return event.toBuilder()
                .headers(headers)
                .payload(Arrays.copyOf(payload, Math.min(payload.length, MAX_PAYLOAD)), event.contentType())
                .build();
    }

    private static String beginningOf(String value) {
        if (value.length() <= MAX_HEADER) {
            return value;
        }
        // A pair of surrogates is not cut in two: no store keeps half of a pair.
        return value.substring(
                0, Character.isHighSurrogate(value.charAt(MAX_HEADER - 1)) ? MAX_HEADER - 1 : MAX_HEADER);
    }

    /** Returns the beginning of a node's name, as long as a handled event can have. */
    static String nodeName(String node) {
        return node.length() <= MAX_NODE ? node : node.substring(0, MAX_NODE);
    }

    /** Returns true when the sample has only the beginning of the payload. */
    public boolean isCut() {
        return event.payloadSize() < payloadSize;
    }
}

package io.redrive.server.webhook;

import io.redrive.events.Event;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** Makes delivery events from published events. The same event and route always make the same id. */
final class DeliveryEvents {

    /** The header of a delivery event that holds the name of the published event. */
    static final String NAME = "redrive-event";
    /** The header of a delivery event that holds the {@code webhook-id}. */
    static final String MESSAGE_ID = "redrive-message-id";
    /** The header that counts how often an event has passed a receiver of a Redrive server. */
    static final String HOPS = "redrive-hops";
    /** An event that passed this many receivers runs in a circle. */
    static final int MOST_HOPS = 5;

    private static final int MOST_PLAIN_ID = 150;
    private static final Pattern COUNT = Pattern.compile("\\d{1,3}");
    private static final int MAX_TEXT = 200;
    private static final int HASH_BYTES = 16;

    private DeliveryEvents() {}

    /**
     * Returns the delivery event of {@code event} for {@code route}.
     *
     * @throws IllegalArgumentException if the event cannot be delivered: too many headers, or a circle of servers
     */
    static Event of(Event event, Route route) {
        if (hops(event) >= MOST_HOPS) {
            throw new IllegalArgumentException("event passed " + hops(event)
                    + " servers already; a route leads back to a receiver of its own events");
        }
        return Event.named(route.eventName())
                .id(limited(route.name() + ":" + event.id()))
                .source(event.source())
                .priority(event.priority())
                .correlationId(event.correlationId().orElse(null))
                .orderingKey(
                        route.limits().ordered()
                                ? event.orderingKey()
                                        .map(key -> limited(route.eventName() + ":" + key))
                                        .orElse(null)
                                : null)
                .payload(event.payload(), event.contentType())
                .headers(event.headers())
                .header(NAME, event.name())
                .header(MESSAGE_ID, messageId(event))
                .created(event.created())
                // The due time of the published event: a store claims by due time, so deliveries go before events that
                // were
                // published later, and requests are sent while further events are fanned out.
                .due(event.due())
                .deadline(event.deadline().orElse(null))
                .build();
    }

    /** Returns the name of the published event; empty when {@code event} was not made by a route. */
    static Optional<String> nameIn(Event event) {
        return Optional.ofNullable(event.headers().get(NAME))
                .filter(HeaderRules::isValue)
                .filter(name -> isPlainId(messageIdIn(event)));
    }

    static String messageIdIn(Event event) {
        return event.headers().getOrDefault(MESSAGE_ID, "");
    }

    static int hops(Event event) {
        String count = event.headers().get(HOPS);
        return count != null && COUNT.matcher(count).matches() ? Integer.parseInt(count) : 0;
    }

    /**
     * Returns the id that receivers see. The id of the event, where it has no characters that could be mistaken for the signed
     * text around it; two events that differ in their correlation id alone have different message ids.
     */
    private static String messageId(Event event) {
        boolean plain = isPlainId(event.id());
        if (plain && event.correlationId().isEmpty()) {
            return event.id();
        }
        String hash = hash(event.idempotencyKey());
        return plain ? event.id() + "_" + hash.substring(0, HASH_BYTES / 2) : "msg_" + hash;
    }

    /** Returns true for 1 to 150 letters, digits, hyphens and underscores. Runs for each delivery: cheaper than a pattern. */
    private static boolean isPlainId(String id) {
        for (int i = 0; i < id.length(); i++) {
            char each = id.charAt(i);
            boolean plain = each >= 'a' && each <= 'z'
                    || each >= '0' && each <= '9'
                    || each >= 'A' && each <= 'Z'
                    || each == '-'
                    || each == '_';
            if (!plain) {
                return false;
            }
        }
        return !id.isEmpty() && id.length() <= MOST_PLAIN_ID;
    }

    private static String limited(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, 100) + ":" + hash(text);
    }

    static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}

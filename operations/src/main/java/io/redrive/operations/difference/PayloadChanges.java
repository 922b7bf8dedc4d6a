package io.redrive.operations.difference;

import io.redrive.events.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parts in which two events differ: fields of JSON payloads by JSON pointer, headers, source, priority, keys and content type.
 * Ids and times are left out, because these differ between any two events.
 *
 * @param changes the parts that differ; fields first, in the order of the payloads
 * @param more true when there are more than {@link #MAX_CHANGES}, or when a payload was too large to compare all of its fields
 */
public record PayloadChanges(List<Change> changes, boolean more) {

    /** The most changes. */
    public static final int MAX_CHANGES = 1_000;

    /** Copies the list. */
    public PayloadChanges {
        changes = List.copyOf(changes);
    }

    /**
     * A part in which two events differ.
     *
     * @param part the JSON pointer of a field, {@code header NAME}, or words such as {@code source}
     * @param left the value in the first event, as JSON; empty when the first event does not have the part
     * @param right the value in the second event
     */
    public record Change(String part, Optional<String> left, Optional<String> right) {}

    /** Compares two events. */
    public static PayloadChanges between(Event left, Event right) {
        List<Change> changes = new ArrayList<>();
        boolean all = payloads(left.payload(), right.payload(), changes);
        compare("header ", quoted(left.headers()), quoted(right.headers()), changes);
        compare("", attributes(left), attributes(right), changes);
        return new PayloadChanges(
                changes.subList(0, Math.min(changes.size(), MAX_CHANGES)), !all || changes.size() > MAX_CHANGES);
    }

    /** Returns false when a payload has more fields than are compared. */
    private static boolean payloads(byte[] left, byte[] right, List<Change> changes) {
        if (Arrays.equals(left, right)) {
            return true;
        }
        Optional<FlatPayload> one = FlatPayload.of(left);
        Optional<FlatPayload> other = FlatPayload.of(right);
        if (one.isEmpty() || other.isEmpty()) {
            changes.add(new Change("payload", Optional.of(described(left)), Optional.of(described(right))));
            return true;
        }
        int before = changes.size();
        compare("", one.get().values(), other.get().values(), changes);
        boolean all = one.get().isWhole() && other.get().isWhole();
        if (changes.size() == before && all) {
            changes.add(new Change(
                    "payload", Optional.of("the same JSON"), Optional.of("the same JSON, written differently")));
        }
        return all;
    }

    private static String described(byte[] payload) {
        PayloadFields fields = new PayloadFields(payload, payload.length, subject -> null);
        return Difference.number(payload.length) + (payload.length == 1 ? " byte (" : " bytes (") + fields.kind() + ")";
    }

    private static void compare(
            String prefix, Map<String, String> left, Map<String, String> right, List<Change> changes) {
        Set<String> parts = new LinkedHashSet<>(left.keySet());
        parts.addAll(right.keySet());
        for (String part : parts) {
            Optional<String> one = Optional.ofNullable(left.get(part));
            Optional<String> other = Optional.ofNullable(right.get(part));
            if (!one.equals(other)) {
                changes.add(new Change(prefix + part, one, other));
            }
        }
    }

    private static Map<String, String> quoted(Map<String, String> headers) {
        Map<String, String> quoted = new LinkedHashMap<>();
        headers.forEach((name, value) -> quoted.put(name, "\"" + value + "\""));
        return quoted;
    }

    private static Map<String, String> attributes(Event event) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("name", event.name());
        attributes.put("source", event.source());
        attributes.put("priority", event.priority().code());
        attributes.put("content type", event.contentType());
        event.orderingKey().ifPresent(key -> attributes.put("ordering key", key));
        event.correlationId().ifPresent(id -> attributes.put("correlation id", id));
        return attributes;
    }
}

package io.redrive.server.http;

import io.redrive.core.DurationText;
import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.JsonPayload;
import io.redrive.events.Priority;
import io.redrive.events.ReservedHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the events of a request in plain JSON in one pass over its bytes; the bytes of a payload are copied as they stand. The reader
 * explains nothing: it gives up on whatever is irregular, such as an unknown field or a number for a text, and {@link EventJson} reads
 * the body again, slower, to refuse it with field, value and rule. Both accept the same events.
 */
final class EventStreamReader {

    /** The body is irregular. Thrown often by hostile callers only, and never seen outside: it needs no stack trace. */
    private static final class Irregular extends RuntimeException {

        private static final long serialVersionUID = 1;

        Irregular() {
            super("the body is irregular", null, false, false);
        }
    }

    private final byte[] body;
    private final JsonParser parser;
    private final Time time;

    private EventStreamReader(byte[] body, JsonParser parser, Time time) {
        this.body = body;
        this.parser = parser;
        this.time = time;
    }

    /**
     * Reads a body that is one event, or an array of events.
     *
     * @param most the most events of an array
     * @param ids the id of the event at a place, for an event without an id
     * @return empty when the body is irregular
     */
    static Optional<PublishRequest> read(byte[] body, int most, IntFunction<Optional<String>> ids, Time time) {
        // The parser reads UTF-16 and UTF-32 too, whose first or second byte is zero, and leaves out a mark of the byte
        // order:
        // places in the text would not be places in the body.
        if (body.length < 2 || body[0] <= 0 || body[1] == 0) {
            return Optional.empty();
        }
        try (JsonParser parser = Body.parser(body)) {
            PublishRequest events = new EventStreamReader(body, parser, time).events(most, ids);
            return parser.nextToken() == null ? Optional.of(events) : Optional.empty();
        } catch (Irregular | JacksonException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private PublishRequest events(int most, IntFunction<Optional<String>> ids) {
        JsonToken first = parser.nextToken();
        if (first == JsonToken.START_OBJECT) {
            return new PublishRequest(List.of(event(ids.apply(0))), true);
        }
        require(first == JsonToken.START_ARRAY);
        List<Event> events = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            require(parser.currentToken() == JsonToken.START_OBJECT && events.size() < most);
            events.add(event(ids.apply(events.size())));
        }
        require(!events.isEmpty());
        return new PublishRequest(events, false);
    }

    private static void require(boolean regular) {
        if (!regular) {
            throw new Irregular();
        }
    }

    private Event event(Optional<String> usualId) {
        Fields fields = new Fields();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_NULL) {
                // Null stands for a missing field, but an unknown field is irregular.
                require(Fields.isKnown(field));
            } else if (field.equals("payload")) {
                payload(fields, value);
            } else if (field.equals("headers")) {
                headers(fields, value);
            } else {
                require(value == JsonToken.VALUE_STRING && fields.set(field, parser.getString()));
            }
        }
        return fields.event(usualId, time);
    }

    private void payload(Fields fields, JsonToken value) {
        int start = (int) parser.currentTokenLocation().getByteOffset();
        if (value == JsonToken.VALUE_STRING) {
            fields.payloadText = parser.getString();
        } else {
            parser.skipChildren();
        }
        int end = (int) parser.currentLocation().getByteOffset();
        fields.payload = utf8(Arrays.copyOfRange(body, start, end));
    }

    /** The parser lets some byte sequences pass that are not UTF-8. */
    private static byte[] utf8(byte[] bytes) {
        for (byte each : bytes) {
            if (each < 0) {
                try {
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
                    return bytes;
                } catch (CharacterCodingException e) {
                    throw new Irregular();
                }
            }
        }
        return bytes;
    }

    private void headers(Fields fields, JsonToken value) {
        require(value == JsonToken.START_OBJECT);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String header = parser.currentName();
            require(parser.nextToken() == JsonToken.VALUE_STRING);
            fields.headers.put(header, parser.getString());
        }
    }

    /** The fields of one event. */
    private static final class Fields {

        private static final Set<String> KNOWN = Set.of(
                "name",
                "source",
                "priority",
                "id",
                "correlation_id",
                "ordering_key",
                "payload",
                "payload_base64",
                "content_type",
                "headers",
                "due",
                "delay",
                "deadline");

        private final Map<String, String> headers = new LinkedHashMap<>();
        private byte @Nullable [] payload;
        /** The payload, where it is a JSON text. */
        private @Nullable String payloadText;

        private @Nullable String name;
        private @Nullable String source;
        private @Nullable String priority;
        private @Nullable String id;
        private @Nullable String correlationId;
        private @Nullable String orderingKey;
        private @Nullable String encoded;
        private @Nullable String contentType;
        private @Nullable String due;
        private @Nullable String delay;
        private @Nullable String deadline;

        static boolean isKnown(String field) {
            return KNOWN.contains(field);
        }

        /** Returns false for an unknown field. */
        boolean set(String field, String value) {
            switch (field) {
                case "name" -> name = value;
                case "source" -> source = value;
                case "priority" -> priority = value;
                case "id" -> id = value;
                case "correlation_id" -> correlationId = value;
                case "ordering_key" -> orderingKey = value;
                case "payload_base64" -> encoded = value;
                case "content_type" -> contentType = value;
                case "due" -> due = value;
                case "delay" -> delay = value;
                case "deadline" -> deadline = value;
                default -> {
                    return false;
                }
            }
            return true;
        }

        Event event(Optional<String> usualId, Time time) {
            if (name == null || source == null || (due != null && delay != null)) {
                throw new Irregular();
            }
            Event.Builder event = Event.named(name)
                    .time(time)
                    .source(source)
                    .priority(priority == null ? Priority.NORMAL : Priority.of(priority))
                    .id(id == null ? usualId.orElse(null) : id)
                    .correlationId(correlationId)
                    .orderingKey(orderingKey)
                    .headers(headers)
                    .deadline(deadline == null ? null : Instant.parse(deadline));
            if (due != null) {
                event.due(Instant.parse(due));
            } else if (delay != null) {
                event.due(time.now().plus(DurationText.parse(delay)));
            }
            addPayload(event);
            ReservedHeaders.refuseIn(headers);
            return event.build();
        }

        private void addPayload(Event.Builder event) {
            byte[] json = payload;
            if (json == null) {
                byte[] bytes =
                        encoded == null ? new byte[0] : Base64.getDecoder().decode(encoded);
                event.payload(bytes, contentType == null ? "application/octet-stream" : contentType);
            } else if (encoded != null) {
                throw new Irregular();
            } else if (contentType == null || JsonPayload.isJson(contentType)) {
                event.payload(json, contentType == null ? "application/json" : contentType);
            } else if (payloadText != null) {
                event.payload(payloadText.getBytes(StandardCharsets.UTF_8), contentType);
            } else {
                throw new Irregular();
            }
        }
    }
}

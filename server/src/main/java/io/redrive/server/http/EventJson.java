package io.redrive.server.http;

import io.redrive.core.DurationText;
import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.JsonPayload;
import io.redrive.events.Priority;
import io.redrive.events.ReservedHeaders;
import io.redrive.server.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Reads an event of a request in plain JSON. {@code payload} is any JSON value, and the payload is that value; {@code payload_base64}
 * is for bytes of any content type.
 */
final class EventJson {

    private static final String JSON = "application/json";

    private EventJson() {}

    /**
     * Reads one event.
     *
     * @param path the place of the event in the body, for refusals; empty for the whole body
     * @param id the id of an event that has none
     */
    static Event read(String path, JsonNode node, Optional<String> id, Time time) {
        Body body = Body.of(path, node);
        String at = path.isEmpty() ? "" : path + ".";
        String name = body.requiredText("name");
        String source = body.requiredText("source");
        Event.Builder event = Event.named(name)
                .time(time)
                .source(source)
                .priority(body.value("priority", Priority::of).orElse(Priority.NORMAL));
        body.text("id").or(() -> id).ifPresent(event::id);
        body.text("correlation_id").ifPresent(event::correlationId);
        body.text("ordering_key").ifPresent(event::orderingKey);
        payload(at, body, event);
        Map<String, String> headers = body.scalars("headers");
        event.headers(headers);
        due(body, event, time.now());
        body.done();
        try {
            ReservedHeaders.refuseIn(headers);
            return event.build();
        } catch (IllegalArgumentException e) {
            // Which field is wrong is found out only now: nearly all events are right.
            checked(at + "name", name, EventJson::name);
            checked(at + "source", source, EventJson::source);
            throw Problem.refusedWhole(path.isEmpty() ? "event" : path, e);
        }
    }

    private static <T> T checked(String field, String value, java.util.function.Function<String, T> check) {
        return Query.read(field, value, check);
    }

    private static String name(String name) {
        return Event.named(name).id("x").source("x").build().name();
    }

    private static String source(String source) {
        return Event.named("a.b").id("x").source(source).build().source();
    }

    private static void due(Body body, Event.Builder event, Instant now) {
        Optional<Instant> due = body.time("due");
        Optional<Instant> delayed = body.value("delay", DurationText::parse).map(now::plus);
        if (due.isPresent() && delayed.isPresent()) {
            throw Problem.wrong("delay", null, "must be missing beside due");
        }
        due.or(() -> delayed).ifPresent(event::due);
        body.time("deadline").ifPresent(event::deadline);
    }

    private static void payload(String at, Body body, Event.Builder event) {
        Optional<JsonNode> value = body.node("payload");
        Optional<String> encoded = body.text("payload_base64");
        Optional<String> type = body.text("content_type");
        if (value.isPresent() && encoded.isPresent()) {
            throw Problem.wrong(at + "payload_base64", null, "must be missing beside payload");
        }
        if (encoded.isPresent()) {
            byte[] bytes = checked(at + "payload_base64", encoded.get(), Base64.getDecoder()::decode);
            event.payload(bytes, type.orElse("application/octet-stream"));
        } else if (value.isPresent()) {
            event.payload(bytes(at, value.get(), type), type.orElse(JSON));
        } else {
            event.payload(new byte[0], type.orElse("application/octet-stream"));
        }
    }

    /** A text with a content type that is not JSON is the payload itself. */
    private static byte[] bytes(String at, JsonNode value, Optional<String> type) {
        if (type.filter(given -> !JsonPayload.isJson(given)).isEmpty()) {
            return Body.bytes(value);
        }
        if (!value.isString()) {
            throw Problem.wrong(
                    at + "payload",
                    null,
                    "must be a text for the content type " + type.get() + ", or use payload_base64");
        }
        return value.asString().getBytes(StandardCharsets.UTF_8);
    }
}

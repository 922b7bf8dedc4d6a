package io.redrive.server.http;

import io.redrive.events.Event;
import io.redrive.events.PublishResult;
import io.redrive.operations.EventOperations;
import io.redrive.server.access.Caller;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * Takes events in. All events of a request are stored in one transaction, or none. An event without an id gets its id from the header
 * {@code Idempotency-Key}, so that a repeated request is a duplicate and changes nothing.
 */
@RestController
class PublishResource {

    private static final String KEY = "Idempotency-Key";
    private static final int LONGEST_KEY = 200;
    /** A generated id and the names of the members. */
    private static final int BYTES_OF_A_RESULT = 80;

    private final CallerOperations operations;

    PublishResource(CallerOperations operations) {
        this.operations = operations;
    }

    @PostMapping("/api/v1/events")
    ResponseEntity<byte[]> publish(HttpServletRequest request, @RequestBody(required = false) byte @Nullable [] body) {
        boolean recorded = Query.of(request, "record").isTrue("record");
        PublishRequest batch = read(request, body == null ? new byte[0] : body);
        Caller caller = Caller.of(request);
        for (Event event : batch.events()) {
            if (!caller.mayPublish(event.name())) {
                throw Problem.of(
                        HttpStatus.FORBIDDEN,
                        "not-permitted",
                        "the token may not publish events of the name '" + event.name() + "'");
            }
        }
        EventOperations events = operations.of(request).events();
        List<PublishResult> results = recorded ? events.publish(batch.events()) : events.accept(batch.events());
        boolean stored = results.stream().anyMatch(result -> !result.isDuplicate());
        return ResponseEntity.status(stored ? HttpStatus.ACCEPTED : HttpStatus.OK)
                .contentType(MediaType.APPLICATION_JSON)
                .body(answer(batch, results));
    }

    /** Written without a tree: a request has up to a thousand events. */
    private static byte[] answer(PublishRequest batch, List<PublishResult> results) {
        return Body.written(BYTES_OF_A_RESULT * results.size(), json -> {
            if (!batch.single()) {
                json.writeStartObject();
                json.writeArrayPropertyStart("items");
            }
            for (int i = 0; i < results.size(); i++) {
                write(batch.events().get(i), results.get(i), json);
            }
            if (!batch.single()) {
                json.writeEndArray();
                json.writeEndObject();
            }
        });
    }

    private static void write(Event event, PublishResult result, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("id", event.id());
        json.writeStringProperty("result", result.isDuplicate() ? "duplicate" : "accepted");
        OptionalLong letter = result.letter();
        if (letter.isPresent()) {
            json.writeNumberProperty("letter", letter.getAsLong());
        }
        json.writeEndObject();
    }

    private PublishRequest read(HttpServletRequest request, byte[] body) {
        Instant now = operations.time().now();
        if (CloudEventRequest.isBinary(request)) {
            return new PublishRequest(List.of(CloudEventRequest.binary(request, body, now)), true);
        }
        String type = type(request);
        IntFunction<Optional<String>> ids = ids(request);
        if (type.equals(MediaType.APPLICATION_JSON_VALUE)) {
            Optional<PublishRequest> regular =
                    EventStreamReader.read(body, operations.mostEvents(), ids, operations.time());
            if (regular.isPresent()) {
                return regular.get();
            }
        }
        JsonNode node = Body.parse(body);
        if (type.equals(CloudEventRequest.STRUCTURED)) {
            return new PublishRequest(List.of(CloudEventRequest.structured("", node, now)), true);
        }
        List<Event> events = new ArrayList<>();
        if (node.isArray()) {
            checkSize(node);
            for (int i = 0; i < node.size(); i++) {
                String path = "[" + i + "]";
                events.add(
                        type.equals(CloudEventRequest.BATCH)
                                ? CloudEventRequest.structured(path, node.get(i), now)
                                : EventJson.read(path, node.get(i), ids.apply(i), operations.time()));
            }
            return new PublishRequest(events, false);
        }
        if (type.equals(CloudEventRequest.BATCH)) {
            throw Problem.wrong("body", null, "must be a JSON array of CloudEvents");
        }
        return new PublishRequest(List.of(EventJson.read("", node, ids.apply(0), operations.time())), true);
    }

    private void checkSize(JsonNode events) {
        if (events.isEmpty()) {
            throw Problem.wrong("body", "[]", "must have at least one event");
        }
        if (events.size() > operations.mostEvents()) {
            throw Problem.tooLarge(
                    "limits.events", "must be at most " + operations.mostEvents() + " events, got " + events.size());
        }
    }

    private static String type(HttpServletRequest request) {
        MediaType type;
        try {
            type = MediaType.parseMediaType(
                    request.getContentType() == null ? MediaType.APPLICATION_JSON_VALUE : request.getContentType());
        } catch (IllegalArgumentException e) {
            throw Problem.wrong("Content-Type", request.getContentType(), "must be a media type");
        }
        String plain = type.getType() + "/" + type.getSubtype();
        if (!List.of(MediaType.APPLICATION_JSON_VALUE, CloudEventRequest.STRUCTURED, CloudEventRequest.BATCH)
                .contains(plain)) {
            throw Problem.of(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "media-type",
                    "Content-Type must be application/json, " + CloudEventRequest.STRUCTURED + " or "
                            + CloudEventRequest.BATCH + ", or the headers must have ce-specversion");
        }
        return plain;
    }

    /** Returns the ids of the events of a request with a key, by their place; callers never share ids. */
    private static IntFunction<Optional<String>> ids(HttpServletRequest request) {
        String key = request.getHeader(KEY);
        if (key == null) {
            return index -> Optional.empty();
        }
        if (key.isBlank() || key.length() > LONGEST_KEY || key.chars().anyMatch(c -> c < 0x21 || c > 0x7e)) {
            throw Problem.wrong(KEY, key, "must be 1 to " + LONGEST_KEY + " visible ASCII characters");
        }
        String caller = Caller.of(request).operator().name();
        return index -> Optional.of("key-" + digest(caller + "\n" + key + "\n" + index));
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

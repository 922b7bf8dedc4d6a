package io.redrive.events;

import io.redrive.core.Reason;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes a dead letter as one line of JSON and reads it back without loss, for export, import and programs. The event
 * is under {@code original_event}, with its payload as edited last; {@code original_payload_base64} holds the payload
 * as published if it was edited. Instants and durations are in ISO 8601.
 */
public final class DeadLetterJson {

    private static final JsonFactory FACTORY = JsonFactory.builder().build();

    private DeadLetterJson() {}

    /** Returns the letter as one line, without a line break at the end. */
    public static String write(DeadLetter letter) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeNumberProperty("id", letter.id());
            writeEvent(json, letter.event());
            json.writeStringProperty("idempotency_key", letter.idempotencyKey());
            json.writeNumberProperty("attempt_count", letter.attempts().failed());
            json.writeStringProperty("last_error", letter.lastError());
            json.writeStringProperty("error_type", letter.errorType());
            json.writeStringProperty("abandoned_reason", letter.reason().code());
            json.writeStringProperty("service_name", letter.service());
            json.writeStringProperty("timestamp", letter.deadAt().toString());
            json.writeStringProperty("fingerprint", letter.fingerprint());
            json.writeNumberProperty("failed", letter.attempts().failed());
            json.writeNumberProperty("interrupted", letter.attempts().interrupted());
            json.writeNumberProperty("crashed", letter.attempts().crashed());
            json.writeNumberProperty("redrives", letter.redrives());
            json.writeNumberProperty("automatic_redrives", letter.automaticRedrives());
            json.writeBooleanProperty("edited", letter.originalPayload().isPresent());
            letter.originalPayload()
                    .ifPresent(bytes -> json.writeStringProperty(
                            "original_payload_base64", Base64.getEncoder().encodeToString(bytes)));
            writeHistory(json, letter.history());
            json.writeEndObject();
        }
        return out.toString();
    }

    private static void writeEvent(JsonGenerator json, Event event) {
        json.writeObjectPropertyStart("original_event");
        json.writeStringProperty("id", event.id());
        json.writeStringProperty("name", event.name());
        json.writeStringProperty("source", event.source());
        json.writeStringProperty("priority", event.priority().code());
        event.correlationId().ifPresent(value -> json.writeStringProperty("correlation_id", value));
        event.orderingKey().ifPresent(value -> json.writeStringProperty("ordering_key", value));
        json.writeStringProperty("content_type", event.contentType());
        json.writeObjectPropertyStart("headers");
        event.headers().forEach(json::writeStringProperty);
        json.writeEndObject();
        json.writeStringProperty("created", event.created().toString());
        json.writeStringProperty("due", event.due().toString());
        event.deadline().ifPresent(value -> json.writeStringProperty("deadline", value.toString()));
        PayloadJson.write(json, event.payload(), event.contentType());
        json.writeEndObject();
    }

    private static void writeHistory(JsonGenerator json, List<AttemptRecord> history) {
        json.writeArrayPropertyStart("history");
        for (AttemptRecord attempt : history) {
            json.writeStartObject();
            json.writeNumberProperty("number", attempt.number());
            json.writeStringProperty("at", attempt.at().toString());
            json.writeStringProperty("node", attempt.node());
            json.writeStringProperty("duration", attempt.duration().toString());
            json.writeStringProperty("error_type", attempt.errorType());
            json.writeStringProperty("message", attempt.message());
            json.writeStringProperty("decision", attempt.decision());
            json.writeStringProperty("why", attempt.why());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * Reads the output of {@link #write}. A letter written by hand needs {@code original_event} with {@code name} and
     * {@code source}, {@code abandoned_reason} and {@code timestamp}; all other fields have defaults.
     *
     * @param line the number of the line, for messages
     * @throws IllegalArgumentException naming line, field and rule
     */
    public static DeadLetter read(String json, long line) {
        return JsonFields.parse(json, line).checked(DeadLetterJson::letter);
    }

    private static DeadLetter letter(JsonFields fields) {
        String errorType = fields.text("error_type").orElse("");
        String lastError = fields.text("last_error").orElse("");
        return new DeadLetter(
                fields.longInteger("id", 0),
                fields.requiredObject("original_event").checked(DeadLetterJson::event),
                fields.base64("original_payload_base64"),
                fields.required("abandoned_reason", Reason::of),
                errorType,
                lastError,
                fields.text("fingerprint").orElseGet(() -> Fingerprint.of(errorType, lastError)),
                fields.text("service_name").orElse(""),
                new Attempts(
                        fields.integer("failed", fields.integer("attempt_count", 0)),
                        fields.integer("interrupted", 0),
                        fields.integer("crashed", 0)),
                fields.integer("redrives", 0),
                fields.integer("automatic_redrives", 0),
                fields.required("timestamp", Instant::parse),
                fields.objects("history").stream().map(DeadLetterJson::attempt).toList());
    }

    private static Event event(JsonFields fields) {
        String contentType = fields.text("content_type").orElse("application/octet-stream");
        Event.Builder event = Event.named(fields.requiredText("name"))
                .source(fields.requiredText("source"))
                .priority(Priority.of(fields.text("priority").orElse("normal")))
                .payload(PayloadJson.read(fields, contentType), contentType);
        fields.text("id").ifPresent(event::id);
        fields.text("correlation_id").ifPresent(event::correlationId);
        fields.text("ordering_key").ifPresent(event::orderingKey);
        fields.object("headers").ifPresent(headers -> event.headers(headers.texts()));
        fields.instant("created").ifPresent(event::created);
        fields.instant("due").ifPresent(event::due);
        fields.instant("deadline").ifPresent(event::deadline);
        return event.build();
    }

    private static AttemptRecord attempt(JsonFields fields) {
        return new AttemptRecord(
                fields.integer("number", 1),
                fields.required("at", Instant::parse),
                fields.text("node").orElse(""),
                fields.duration("duration").orElse(Duration.ZERO),
                fields.text("error_type").orElse(""),
                fields.text("message").orElse(""),
                fields.text("decision").orElse(""),
                fields.text("why").orElse(""));
    }
}

package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.events.Event;
import io.redrive.events.Priority;
import io.redrive.events.PublishResult;
import io.redrive.events.Scheduled;
import io.redrive.events.SetAside;
import io.redrive.events.StoreStats;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.PastFailure;
import io.redrive.events.journal.UnfinishedEvent;
import io.redrive.operations.FoundEvent;
import java.time.Duration;
import java.util.Base64;

/** Events as the API has them. */
final class EventShapes {

    private EventShapes() {}

    static StoreStats stats(Fields fields) {
        return new StoreStats(
                fields.number("ready"),
                fields.number("delayed"),
                fields.number("claimed"),
                fields.number("dead"),
                Duration.ofMillis(fields.number("oldest_ready_ms")),
                new StoreStats.Waiting(
                        fields.number("behind_key"),
                        fields.number("without_handler"),
                        Duration.ofMillis(fields.number("oldest_without_handler_ms")),
                        fields.number("paused"),
                        fields.number("without_token")));
    }

    /** Reads a scheduled event, which the API lists without payload and headers. */
    static Scheduled scheduled(Fields fields) {
        Event.Builder event = Event.named(fields.text("name"))
                .id(fields.text("id"))
                .source(fields.text("source"))
                .priority(fields.text("priority", Priority::of))
                .created(fields.time("created"))
                .due(fields.time("due"));
        fields.optional("correlation_id").ifPresent(event::correlationId);
        fields.optional("ordering_key").ifPresent(event::orderingKey);
        fields.optionalTime("deadline").ifPresent(event::deadline);
        return new Scheduled(event.build(), fields.number("position"));
    }

    static SetAside setAside(Fields fields) {
        return new SetAside(fields.text("name"), Duration.ofMillis(fields.number("waited_ms")));
    }

    static JsonObject json(Event event) {
        JsonObject headers = new JsonObject();
        event.headers().forEach(headers::put);
        return new JsonObject()
                .put("id", event.id())
                .put("name", event.name())
                .put("source", event.source())
                .put("priority", event.priority().code())
                .put("correlation_id", event.correlationId().orElse(null))
                .put("ordering_key", event.orderingKey().orElse(null))
                .put("content_type", event.contentType())
                .put("payload_base64", Base64.getEncoder().encodeToString(event.payload()))
                .put("headers", headers)
                .put("due", event.due().equals(event.created()) ? null : event.due())
                .put("deadline", event.deadline().orElse(null));
    }

    static PublishResult result(Fields fields) {
        if (fields.text("result").equals("accepted")) {
            return PublishResult.ACCEPTED;
        }
        return fields.has("letter") ? PublishResult.duplicateOf(fields.number("letter")) : PublishResult.DUPLICATE;
    }

    static FoundEvent found(Fields fields) {
        return switch (fields.text("state")) {
            case "dead" -> new FoundEvent.Died(LetterShapes.letter(fields.object("letter")));
            case "finished" -> new FoundEvent.Finished(finished(fields));
            case "claimed" -> {
                UnfinishedEvent.Claimed claim = new UnfinishedEvent.Claimed(
                        fields.text("node"), fields.optionalTime("claimed"), fields.time("lease_until"));
                yield new FoundEvent.Runs(unfinished(fields, claim), claim);
            }
            case "waiting" -> {
                UnfinishedEvent.Waiting waiting = new UnfinishedEvent.Waiting(
                        fields.time("due"),
                        fields.constant("why", UnfinishedEvent.Why.class),
                        fields.optional("behind"),
                        fields.optionalTime("since"));
                yield new FoundEvent.Waits(
                        unfinished(fields, waiting), waiting, fields.text("explanation"), fields.optionalTime("since"));
            }
            default -> throw new UnreadableAnswerException("an event has the state " + fields.text("state"));
        };
    }

    private static UnfinishedEvent unfinished(Fields fields, UnfinishedEvent.State state) {
        return new UnfinishedEvent(
                fields.text("id"),
                fields.optional("correlation_id"),
                fields.optional("ordering_key"),
                fields.text("name"),
                fields.text("source"),
                fields.number("position"),
                fields.number("origin"),
                fields.time("created"),
                fields.integer("failed"),
                fields.integer("interrupted"),
                fields.integer("crashed"),
                fields.integer("redrives"),
                state);
    }

    static FinishedEvent finished(Fields fields) {
        return new FinishedEvent(
                fields.text("id"),
                fields.optional("correlation_id"),
                fields.optional("ordering_key"),
                fields.text("name"),
                fields.text("source"),
                fields.number("origin"),
                fields.time("created"),
                fields.time("finished"),
                fields.integer("failed"),
                fields.integer("interrupted"),
                fields.integer("crashed"),
                fields.integer("redrives"),
                fields.text("node"),
                fields.millis("duration_ms"));
    }

    static PastFailure failure(Fields fields) {
        return new PastFailure(
                fields.integer("number"),
                fields.time("at"),
                fields.text("node"),
                fields.millis("duration_ms"),
                fields.text("error_type"),
                fields.text("message"),
                fields.text("decision"));
    }
}

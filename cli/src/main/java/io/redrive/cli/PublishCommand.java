package io.redrive.cli;

import io.redrive.core.DurationText;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Priority;
import io.redrive.events.PublishResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "publish",
        description = {
            "Publish an event; durable when the command returns.",
            "Publishing the same id and correlation id again is a duplicate: it is dropped, told, and no failure."
        },
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class PublishCommand extends StoreCommand {

    @Option(names = "--name", required = true, paramLabel = "N", description = "Dotted, such as order.paid.")
    private String name;

    @Option(names = "--source", required = true, paramLabel = "S", description = "Who publishes it.")
    private String source;

    @ArgGroup
    private Payload payload;

    /** One of them. */
    static final class Payload {
        @Option(
                names = "--payload",
                paramLabel = "FILE",
                converter = InputFileConverter.class,
                description = "The payload; - for standard input.")
        private InputFile file;

        @Option(names = "--text", paramLabel = "TEXT", description = "The payload itself.")
        private String text;

        byte[] bytes(Context context) throws IOException {
            return file == null ? text.getBytes(StandardCharsets.UTF_8) : file.bytes(context.in());
        }
    }

    @Option(names = "--content-type", paramLabel = "T", description = "JSON, text or bytes by default, as it looks.")
    private String contentType;

    @Option(names = "--id", paramLabel = "ID", description = "An id of your own, to be safe when repeating.")
    private String id;

    @Option(
            names = "--priority",
            paramLabel = "P",
            defaultValue = "normal",
            description = "low, normal, high, critical.")
    private String priority;

    @Option(names = "--correlation-id", paramLabel = "C", description = "Ties events of one transaction together.")
    private String correlationId;

    @Option(names = "--ordering-key", paramLabel = "K", description = "Handled one after the other within this key.")
    private String orderingKey;

    @Option(names = "--delay", paramLabel = "D", description = "Not to be handled before, such as 10m.")
    private String delay;

    @Option(
            names = "--deadline",
            paramLabel = "WHEN",
            description = "Not to be handled after: 2h from now, or an ISO time.")
    private String deadline;

    @Option(names = "--header", paramLabel = "KEY=VALUE", description = "Travels along; may be repeated.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Option(names = "--create", description = "Make the store when the file is not there.")
    private boolean create;

    @Option(names = "--json", description = "One JSON object: id, result.")
    private boolean json;

    PublishCommand(Context context) {
        super(context);
    }

    @Override
    EventStore open(String at) {
        return create ? context.stores().create(at) : super.open(at);
    }

    @Override
    int run(EventStore store) throws IOException {
        Event event = event();
        PublishResult result =
                store.publish(List.of(event), context.time().now()).get(0);
        String told = result.isDuplicate() ? "duplicate" : "accepted";
        if (json) {
            Json.Obj object = new Json.Obj().put("id", event.id()).put("result", told);
            result.letter().ifPresent(letter -> object.put("letter", letter));
            say(object);
        } else {
            say(event.id() + "  " + (result.isDuplicate() ? told + ": " + reason(result) : told));
        }
        return 0;
    }

    private String reason(PublishResult duplicate) {
        String dropped = "published before with this id and correlation id; dropped";
        return duplicate.letter().isEmpty()
                ? dropped
                : dropped + ". It is dead letter " + duplicate.letter().getAsLong()
                        + ": bring it back with redrive dlq redrive "
                        + duplicate.letter().getAsLong() + onStore();
    }

    private Event event() throws IOException {
        byte[] bytes = payload == null ? new byte[0] : payload.bytes(context);
        String type = contentType == null ? PayloadText.contentTypeOf(bytes) : contentType;
        if (contentType == null) {
            PayloadText.brokenJson(bytes, type)
                    .ifPresent(complaint -> note("the payload begins like JSON and is not valid, so it is published as "
                            + type + ": " + complaint + "; --content-type application/json refuses it instead"));
        }
        PayloadText.complaint(bytes, type).ifPresent(complaint -> {
            throw new IllegalArgumentException(
                    "the payload is not valid " + type + ": " + complaint + "; nothing was published");
        });
        Event.Builder event = Event.named(name)
                .time(context.time())
                .id(id)
                .source(source)
                .priority(Priority.of(priority))
                .correlationId(correlationId)
                .orderingKey(orderingKey)
                .payload(bytes, type)
                .headers(headers);
        if (delay != null) {
            event.delay(DurationText.parse(delay));
        }
        return deadline == null ? event.build() : event.deadline(moment()).build();
    }

    private Instant moment() {
        try {
            return deadline.matches("\\d{4}-.*")
                    ? Instant.parse(deadline)
                    : context.time().now().plus(DurationText.parse(deadline));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "--deadline must be a time from now such as 2h, or a time such as 2026-03-01T10:00:00Z; got '"
                            + deadline + "'",
                    e);
        }
    }
}

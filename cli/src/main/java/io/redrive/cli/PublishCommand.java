package io.redrive.cli;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.DurationOption;
import io.redrive.cli.command.InputFile;
import io.redrive.cli.command.InputFileConverter;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.StoreCreatingCommand;
import io.redrive.cli.terminal.PayloadText;
import io.redrive.core.DurationText;
import io.redrive.events.Event;
import io.redrive.events.Priority;
import io.redrive.events.PublishResult;
import io.redrive.operations.Operations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "publish",
        description = {
            "Publish an event; durable when the command returns.",
            "Publishing the same id and correlation id again is a duplicate: it is dropped, told, and no failure."
        })
final class PublishCommand extends StoreCreatingCommand {

    @Option(names = "--name", required = true, paramLabel = "N", description = "Dotted, such as order.paid.")
    private String name = "";

    @Option(names = "--source", required = true, paramLabel = "S", description = "Who publishes it.")
    private String source = "";

    @ArgGroup
    private @Nullable Payload payload;

    /** The payload, in a file or on the command line. */
    static final class Payload {
        @Option(
                names = "--payload",
                paramLabel = "FILE",
                converter = InputFileConverter.class,
                description = "The payload; - for standard input.")
        private InputFile file = new InputFile("-");

        @Option(names = "--text", paramLabel = "TEXT", description = "The payload itself.")
        private @Nullable String text;

        byte[] bytes(Context context) throws IOException {
            return text == null ? file.bytes(context.in()) : text.getBytes(StandardCharsets.UTF_8);
        }
    }

    @Option(names = "--content-type", paramLabel = "T", description = "JSON, text or bytes by default, as it looks.")
    private @Nullable String contentType;

    @Option(names = "--id", paramLabel = "ID", description = "An id of your own, to be safe when repeating.")
    private @Nullable String id;

    @Option(
            names = "--priority",
            paramLabel = "P",
            defaultValue = "normal",
            description = "low, normal, high, critical.")
    private String priority = "normal";

    @Option(names = "--correlation-id", paramLabel = "C", description = "Ties events of one transaction together.")
    private @Nullable String correlationId;

    @Option(names = "--ordering-key", paramLabel = "K", description = "Handled one after the other within this key.")
    private @Nullable String orderingKey;

    @Option(names = "--delay", paramLabel = "D", description = "Not to be handled before, such as 10m.")
    private @Nullable String delay;

    @Option(
            names = "--deadline",
            paramLabel = "WHEN",
            description = "Not to be handled after: 2h from now, or an ISO time.")
    private @Nullable String deadline;

    @Option(names = "--header", paramLabel = "KEY=VALUE", description = "Travels along; may be repeated.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Option(names = "--json", description = "One JSON object: id, result.")
    private boolean json;

    PublishCommand(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) throws IOException {
        Event event = event();
        PublishResult result = operations.events().publish(List.of(event)).get(0);
        String outcome = result.isDuplicate() ? "duplicate" : "accepted";
        if (json) {
            JsonObject object = new JsonObject().put("id", event.id()).put("result", outcome);
            result.letter().ifPresent(letter -> object.put("letter", letter));
            say(object);
        } else {
            say(event.id() + "  " + (result.isDuplicate() ? outcome + ": " + reason(result) : outcome));
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
        byte[] bytes = payload == null ? new byte[0] : payload.bytes(context());
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
                .time(context().time())
                .id(id)
                .source(source)
                .priority(Priority.of(priority))
                .correlationId(correlationId)
                .orderingKey(orderingKey)
                .payload(bytes, type)
                .headers(headers);
        if (delay != null) {
            event.delay(DurationOption.parse("--delay", delay));
        }
        return deadline == null
                ? event.build()
                : event.deadline(moment(deadline)).build();
    }

    private Instant moment(String text) {
        try {
            return text.matches("\\d{4}-.*")
                    ? Instant.parse(text)
                    : context().time().now().plus(DurationText.parse(text));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "--deadline must be a time from now such as 2h, or a time such as 2026-03-01T10:00:00Z; got '"
                            + text + "'",
                    e);
        }
    }
}

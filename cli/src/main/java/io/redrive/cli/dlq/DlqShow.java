package io.redrive.cli.dlq;

import io.redrive.cli.command.Context;
import io.redrive.cli.terminal.PayloadText;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.core.DurationText;
import io.redrive.events.Attempts;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.Event;
import io.redrive.events.LetterVersion;
import io.redrive.operations.Operations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show a dead letter: the event, its payload, why it was given up, and every attempt.")
final class DlqShow extends LetterCommand {

    @Parameters(
            paramLabel = "ID",
            description = "The letter's id, as 'dlq list' shows it, or the event's id, as logs do.")
    private String id = "";

    @Option(names = "--json", description = "One JSON object on one line.")
    private boolean json;

    @Option(
            names = "--payload",
            paramLabel = "FILE",
            description = "Write the payload to FILE, byte for byte; 'dlq edit' takes it back.")
    private @Nullable Path payload;

    DlqShow(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) throws IOException {
        DeadLetter letter = letter(operations.letters(), id);
        if (json) {
            say(DeadLetterJson.write(letter));
        } else if (payload != null) {
            Files.write(payload, letter.event().payload());
            note(letter.event().payloadSize() + " bytes written to " + payload);
        } else {
            show(
                    letter,
                    operations.letters().versions(letter.id()),
                    context().time().now());
        }
        return 0;
    }

    private void show(DeadLetter letter, List<LetterVersion> versions, Instant now) {
        Event event = letter.event();
        say(paint().bold("letter " + letter.id() + "  " + Printable.line(event.name())));
        field("dead", when(letter.deadAt(), now) + ", reason " + letter.reason().code());
        field("error", Printable.error(letter.errorType(), letter.lastError()));
        field("cause", letter.fingerprint());
        field("attempts", attempts(letter.attempts()) + redrives(letter));
        field("service", letter.service());
        say("");
        field("event id", event.id());
        event.correlationId().ifPresent(value -> field("correlation", value));
        event.orderingKey().ifPresent(value -> field("ordering key", value));
        field("source", event.source() + ", priority " + event.priority().code());
        field("created", when(event.created(), now));
        if (!event.due().equals(event.created())) {
            field("due", when(event.due(), now));
        }
        event.deadline().ifPresent(value -> field("deadline", when(value, now)));
        event.headers().forEach((key, value) -> field("header", key + ": " + value));
        say("");
        letter.originalPayload().ifPresent(original -> payload("payload as published", original, event.contentType()));
        String title = letter.originalPayload().isPresent() ? "payload as edited" : "payload";
        payload(title, event.payload(), event.contentType());
        if (!versions.isEmpty()) {
            say(paint().bold("earlier payloads")
                    + paint().faint("  'dlq edit " + letter.id() + " --version N' takes one back"));
            say(versions(versions, now));
            say("");
        }
        say(paint().bold("history"));
        say(history(letter, now));
    }

    private void field(String name, String value) {
        say(paint().faint(String.format(Locale.ROOT, "  %-12s  ", name)) + Printable.line(value));
    }

    private void payload(String title, byte[] bytes, String contentType) {
        say(paint().bold(title) + paint().faint("  " + Printable.line(contentType) + ", " + bytes.length + " bytes"));
        PayloadText.of(bytes, contentType).lines().forEach(line -> say("  " + line));
        say("");
    }

    private static TextTable history(DeadLetter letter, Instant now) {
        TextTable table = new TextTable(
                Column.right("attempt"),
                Column.left("began"),
                Column.right("took"),
                Column.elastic("node"),
                Column.elastic("then"),
                Column.elastic("error"));
        letter.history()
                .forEach(attempt -> table.add(
                        attempt.number(),
                        Printable.age(attempt.at(), now),
                        DurationText.format(toTenthsOfMillis(attempt.duration())),
                        attempt.node(),
                        attempt.decision() + " " + attempt.why(),
                        Printable.error(attempt.errorType(), attempt.message())));
        return table;
    }

    private static TextTable versions(List<LetterVersion> versions, Instant now) {
        TextTable table = new TextTable(
                Column.right("version"),
                Column.right("bytes"),
                Column.left("replaced"),
                Column.left("by"),
                Column.elastic("operator"));
        versions.forEach(version -> table.add(
                version.number(),
                version.payload().length,
                Printable.age(version.at(), now),
                version.action(),
                version.operator()));
        return table;
    }

    private static String when(Instant then, Instant now) {
        return then + " (" + Printable.age(then, now) + ")";
    }

    private static String attempts(Attempts attempts) {
        return attempts.failed() + " failed, " + attempts.interrupted() + " interrupted, " + attempts.crashed()
                + " crashed";
    }

    private static String redrives(DeadLetter letter) {
        return letter.redrives() == 0
                ? ""
                : "; redriven " + letter.redrives() + " times before, " + letter.automaticRedrives() + " automatically";
    }

    private static Duration toTenthsOfMillis(Duration duration) {
        return Duration.ofNanos(Math.round(duration.toNanos() / 1e5) * 100_000);
    }
}

package io.redrive.cli.events;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.DeadLetters;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.PastFailure;
import io.redrive.operations.FoundEvent;
import io.redrive.operations.Operations;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "show", description = "Show an event: where it is, since when, why, and which attempts failed before.")
final class EventsShow extends OperationsCommand {

    @Parameters(paramLabel = "ID", description = "The id of the event.")
    private String id = "";

    @Option(
            names = "--correlation",
            paramLabel = "ID",
            description = "Only the event with this correlation id; several events may share an id.")
    private @Nullable String correlation;

    @Option(names = "--json", description = "One JSON object for each event.")
    private boolean json;

    EventsShow(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        Instant now = context().time().now();
        List<FoundEvent> found = operations.finder().find(EventQuery.id(id.strip()), DeadLetters.MAX_PAGE).stream()
                .filter(each -> correlation == null
                        || each.correlationId().filter(correlation::equals).isPresent())
                .toList();
        if (found.isEmpty()) {
            throw new CommandFailed("no event has the id '" + Printable.line(id.strip()) + "'"
                    + (correlation == null ? "" : " and this correlation id") + "; "
                    + FoundText.reach(operations.finder(), now));
        }
        for (FoundEvent each : found) {
            if (json) {
                say(FoundText.json(each));
            } else {
                show(operations, each, now);
            }
        }
        if (found.size() > 1) {
            note(found.size() + " events have this id; choose one with --correlation");
        }
        return 0;
    }

    private void show(Operations operations, FoundEvent found, Instant now) {
        say(paint().bold("event " + Printable.line(found.id())) + "  " + found.state());
        field("name", found.name());
        field("source", found.source());
        found.correlationId().ifPresent(value -> field("correlation", value));
        found.orderingKey().ifPresent(value -> field("ordering key", value));
        field("created", found.created() + ", " + Printable.age(found.created(), now));
        field(found.state(), FoundText.fate(found, now));
        if (found instanceof FoundEvent.Waits waits) {
            waits.since().ifPresent(since -> field("waits since", since + ", " + Printable.age(since, now)));
        }
        if (found instanceof FoundEvent.Died died) {
            field(
                    "error",
                    Printable.error(died.letter().errorType(), died.letter().lastError()));
            say("look at the letter with: redrive dlq show " + died.letter().id() + onStore());
        }
        if (found instanceof FoundEvent.Finished finished && finished.event().isSaved()) {
            operations.finder().failures(finished.event()).forEach(this::failure);
        }
    }

    private void failure(PastFailure failure) {
        field(
                "failed before",
                "attempt " + failure.number() + " at " + failure.at() + " on " + failure.node() + ": "
                        + Printable.error(failure.errorType(), failure.message()));
    }

    private void field(String name, String value) {
        say((paint().faint(String.format(Locale.ROOT, "  %-13s  ", name)) + Printable.line(value)).stripTrailing());
    }
}

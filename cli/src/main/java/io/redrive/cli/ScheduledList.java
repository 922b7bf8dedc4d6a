package io.redrive.cli;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.DurationOption;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.Scheduled;
import io.redrive.operations.Operations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List events that are not due yet, the next one first.")
final class ScheduledList extends OperationsCommand {

    @Option(names = "--name", paramLabel = "PATTERN", description = "Event name or pattern, such as mail.*.")
    private @Nullable String name;

    @Option(names = "--within", paramLabel = "D", description = "Due within this time from now, such as 2h.")
    private @Nullable String within;

    @Mixin
    private ListOptions list = new ListOptions();

    ScheduledList(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        Instant now = context().time().now();
        Scheduled.Filter filter = name == null ? Scheduled.Filter.ALL : Scheduled.Filter.ALL.withName(name);
        List<Scheduled> found = operations
                .events()
                .scheduled(
                        within == null
                                ? filter
                                : filter.withDueBefore(now.plus(DurationOption.parse("--within", within))),
                        list.limitUpTo(DeadLetters.MAX_PAGE));
        if (list.json()) {
            found.forEach(each -> say(json(each.event())));
        } else if (found.isEmpty()) {
            say("no event is scheduled");
        } else {
            // Cancelling needs both ids in full, so a narrow terminal shows no names rather than part of an id.
            boolean correlated =
                    found.stream().anyMatch(each -> each.event().correlationId().isPresent());
            TextTable table = new TextTable(
                    Column.left("due in"),
                    Column.left("id"),
                    Column.elastic("name").droppable(1),
                    Column.elastic("correlation id").droppable(correlated ? 0 : 2));
            found.forEach(each -> table.add(
                    Printable.roughly(Duration.between(now, each.event().due())),
                    Printable.line(each.event().id()),
                    Printable.line(each.event().name()),
                    Printable.line(each.event().correlationId().orElse(""))));
            say(table);
        }
        return 0;
    }

    private static JsonObject json(Event event) {
        return new JsonObject()
                .put("id", event.id())
                .put("correlation_id", event.correlationId().orElse(null))
                .put("name", event.name())
                .put("source", event.source())
                .put("due", event.due().toString());
    }
}

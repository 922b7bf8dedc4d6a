package io.redrive.cli;

import io.redrive.cli.TextTable.Column;
import io.redrive.core.DurationText;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Scheduled;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "List events that are not due yet, the next one first.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class ScheduledList extends StoreCommand {

    @Option(names = "--name", paramLabel = "PATTERN", description = "Event name or pattern, such as mail.*.")
    private String name;

    @Option(names = "--within", paramLabel = "D", description = "Due within this time from now, such as 2h.")
    private String within;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most, up to " + DeadLetters.MAX_PAGE + " (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    ScheduledList(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) {
        Instant now = context.time().now();
        Scheduled.Filter filter = name == null ? Scheduled.Filter.ALL : Scheduled.Filter.ALL.withName(name);
        List<Scheduled> found = store.scheduled(
                within == null ? filter : filter.withDueBefore(now.plus(DurationText.parse(within))), limit, now);
        if (json) {
            found.forEach(each -> say(object(each.event())));
        } else if (found.isEmpty()) {
            say("no event is scheduled");
        } else {
            // A cancel needs both ids in full; a narrow terminal goes without the name before it cuts the event's id.
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

    private static Json.Obj object(Event event) {
        return new Json.Obj()
                .put("id", event.id())
                .put("correlation_id", event.correlationId().orElse(null))
                .put("name", event.name())
                .put("source", event.source())
                .put("due", event.due().toString());
    }
}

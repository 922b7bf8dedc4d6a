package io.redrive.cli.events;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.DeadLetters;
import io.redrive.events.journal.EventQuery;
import io.redrive.operations.FoundEvent;
import io.redrive.operations.Operations;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "find",
        description = "Find events by id, correlation id, ordering key or name, in any state, in the order of their"
                + " creation. Texts are compared exactly.")
final class EventsFind extends OperationsCommand {

    @Parameters(paramLabel = "TEXT", description = "The id, correlation id, ordering key or name.")
    private String text = "";

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            description = "Which text to compare: id, correlation, key or name. Without it each of them, in this order,"
                    + " until an event is found.")
    private @Nullable String by;

    @Mixin
    private ListOptions list = new ListOptions();

    EventsFind(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        int limit = list.limitUpTo(DeadLetters.MAX_PAGE);
        Instant now = context().time().now();
        for (EventQuery.By each : compared()) {
            EventQuery query = new EventQuery(each, text.strip());
            List<FoundEvent> found = operations.finder().find(query, limit);
            if (!found.isEmpty()) {
                show(found, query, now);
                if (found.size() == limit) {
                    note("there may be more: shown are " + limit + ", see --limit");
                }
                return 0;
            }
        }
        note("no event has the "
                + String.join(
                        ", ", compared().stream().map(EventQuery.By::words).toList())
                + " '" + Printable.line(text.strip()) + "'; texts are compared exactly"
                + (text.contains("*") || text.contains("%") ? ", and * and % are no wildcards" : "") + "; "
                + FoundText.reach(operations.finder(), now));
        return ExitCodes.NOT_FOUND;
    }

    private List<EventQuery.By> compared() {
        List<EventQuery.By> all = List.of(EventQuery.By.values());
        if (by == null) {
            return all;
        }
        return all.stream()
                .filter(each -> each.name().equalsIgnoreCase(by))
                .findFirst()
                .map(List::of)
                .orElseThrow(() -> new IllegalArgumentException(
                        "--by must be one of " + String.join(", ", names()) + "; got '" + by + "'"));
    }

    private static List<String> names() {
        return Arrays.stream(EventQuery.By.values())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private void show(List<FoundEvent> found, EventQuery query, Instant now) {
        if (list.json()) {
            found.forEach(each -> say(FoundText.json(each)));
            return;
        }
        note(found.size()
                + (found.size() == 1 ? " event has the " : " events have the ")
                + Printable.line(query.toString()));
        say(table(found, now));
    }

    static TextTable table(List<FoundEvent> found, Instant now) {
        TextTable table = new TextTable(
                Column.left("state"),
                Column.left("created"),
                Column.elastic("name").droppable(2),
                Column.left("id"),
                Column.elastic("what happened").droppable(1));
        found.forEach(each -> table.add(
                each.state(),
                Printable.age(each.created(), now),
                Printable.line(each.name()),
                Printable.line(each.id()),
                Printable.line(FoundText.fate(each, now))));
        return table;
    }
}

package io.redrive.cli;

import io.redrive.cli.TextTable.Column;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "groups",
        description = "Group dead letters by cause, the largest group first.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class DlqGroups extends StoreCommand {

    @Mixin
    private LetterOptions options;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many groups at most, up to " + DeadLetters.MAX_PAGE + " (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    DlqGroups(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) {
        Instant now = context.time().now();
        LetterFilter filter = options.filter(now);
        List<LetterGroup> groups = store.deadLetters().groups(filter, limit);
        if (json) {
            groups.forEach(group -> say(json(group)));
        } else if (groups.isEmpty()) {
            say("no dead letters");
        } else {
            say(table(groups, now));
            if (groups.size() == limit) {
                note("at most " + limit + " groups are shown; more with --limit");
            }
        }
        return 0;
    }

    static TextTable table(List<LetterGroup> groups, Instant now) {
        TextTable table = new TextTable(
                Column.left("cause"),
                Column.right("letters"),
                Column.left("first").droppable(1),
                Column.left("last"),
                Column.elastic("events"),
                Column.elastic("error, for example"));
        groups.forEach(group -> table.add(
                group.fingerprint(),
                group.count(),
                Printable.age(group.firstDead(), now),
                Printable.age(group.lastDead(), now),
                String.join(", ", group.names()),
                DlqShow.error(group.errorType(), group.example())));
        return table;
    }

    private static Json.Obj json(LetterGroup group) {
        return new Json.Obj()
                .put("fingerprint", group.fingerprint())
                .put("count", group.count())
                .put("error_type", group.errorType())
                .put("example", group.example())
                .put("names", group.names())
                .put("first_dead", group.firstDead())
                .put("last_dead", group.lastDead());
    }
}

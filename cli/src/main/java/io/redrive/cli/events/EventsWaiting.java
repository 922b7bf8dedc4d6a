package io.redrive.cli.events;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.DeadLetters;
import io.redrive.operations.FoundEvent;
import io.redrive.operations.Operations;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "waiting", description = "List waiting events, soonest due first, with the reason of their wait.")
final class EventsWaiting extends OperationsCommand {

    @Option(names = "--name", paramLabel = "NAME", description = "Only events of this name, also claimed ones.")
    private @Nullable String name;

    @Mixin
    private ListOptions list = new ListOptions();

    EventsWaiting(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        int limit = list.limitUpTo(DeadLetters.MAX_PAGE);
        List<FoundEvent> found = name == null
                ? operations.finder().waiting(limit)
                : operations.finder().waiting(name.strip(), limit);
        if (list.json()) {
            found.forEach(each -> say(FoundText.json(each)));
        } else if (found.isEmpty()) {
            say(
                    name == null
                            ? "no event waits"
                            : "no event with the name '" + Printable.line(name.strip())
                                    + "' waits; names are compared exactly");
        } else {
            say(EventsFind.table(found, context().time().now()));
        }
        return 0;
    }
}

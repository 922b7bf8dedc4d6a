package io.redrive.cli;

import io.redrive.cli.TextTable.Column;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.OperatorAction;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "actions",
        description = "Show what operators did to dead letters, the newest first.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class DlqActions extends StoreCommand {

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most, up to " + DeadLetters.MAX_PAGE + " (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    DlqActions(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) {
        Instant now = context.time().now();
        List<OperatorAction> actions = store.deadLetters().actions(limit);
        if (json) {
            actions.forEach(action -> say(json(action)));
        } else if (actions.isEmpty()) {
            say("nobody did anything yet");
        } else {
            TextTable table = new TextTable(
                    Column.left("when"),
                    Column.elastic("operator"),
                    Column.left("action"),
                    Column.right("letters"),
                    Column.elastic("detail"));
            actions.forEach(action -> table.add(
                    Printable.age(action.at(), now),
                    action.operator(),
                    action.action(),
                    action.letters(),
                    action.detail()));
            say(table);
        }
        return 0;
    }

    private static Json.Obj json(OperatorAction action) {
        return new Json.Obj()
                .put("at", action.at())
                .put("operator", action.operator())
                .put("action", action.action())
                .put("detail", action.detail())
                .put("letters", action.letters());
    }
}

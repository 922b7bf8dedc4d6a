package io.redrive.cli;

import io.redrive.cli.TextTable.Column;
import io.redrive.events.ActionFilter;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.OperatorAction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "actions",
        description = "Show what operators did to dead letters: a line for each command, the newest first.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class DlqActions extends StoreCommand {

    @Option(names = "--operator", paramLabel = "NAME", description = "Commands of this operator.")
    private String operator;

    @Option(
            names = "--action",
            paramLabel = "A",
            description = "${COMPLETION-CANDIDATES}.",
            completionCandidates = Actions.class)
    private String action;

    @Option(names = "--since", paramLabel = "WHEN", description = "Begun since then: 2h, 2026-03-01, or an ISO time.")
    private String since;

    @Option(names = "--until", paramLabel = "WHEN", description = "Begun before then.")
    private String until;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most, up to " + DeadLetters.MAX_PAGE + " (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    /** What a store records. */
    static final class Actions extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Actions() {
            super(List.of("redrive", "edit", "purge", "import"));
        }
    }

    DlqActions(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) {
        Instant now = context.time().now();
        ActionFilter filter = filter(now);
        List<OperatorAction> actions = store.deadLetters().actions(filter, limit);
        if (json) {
            actions.forEach(row -> say(json(row)));
        } else if (actions.isEmpty()) {
            say(filter.equals(ActionFilter.ALL) ? "no operator has changed a dead letter yet" : "no such action");
        } else {
            say(table(actions, now));
            if (actions.size() == limit) {
                note("at most " + limit + " commands are shown; more with --limit, or earlier ones with --until");
            }
        }
        return 0;
    }

    private ActionFilter filter(Instant now) {
        ActionFilter filter = ActionFilter.ALL.withTime(
                LetterOptions.moment("--since", since, now), LetterOptions.moment("--until", until, now));
        filter = operator == null ? filter : filter.withOperator(operator);
        if (action != null && !new Actions().contains(action)) {
            throw new IllegalArgumentException(
                    "--action must be one of " + String.join(", ", new Actions()) + "; got '" + action + "'");
        }
        return action == null ? filter : filter.withAction(action);
    }

    private static TextTable table(List<OperatorAction> actions, Instant now) {
        TextTable table = new TextTable(
                Column.left("when"),
                Column.elastic("operator"),
                Column.left("action"),
                Column.right("letters"),
                Column.elastic("of"),
                Column.elastic("causes").droppable(1),
                Column.elastic("from").droppable(2));
        actions.forEach(row -> table.add(
                Printable.age(row.at(), now),
                row.operator(),
                row.action(),
                row.letters(),
                row.detail(),
                causes(row),
                row.command().origin()));
        return table;
    }

    private static String causes(OperatorAction row) {
        return row.causes().entrySet().stream()
                .map(cause -> cause.getValue() + " of " + cause.getKey())
                .collect(Collectors.joining(", "));
    }

    private static Json.Obj json(OperatorAction row) {
        Json.Obj causes = new Json.Obj();
        row.causes().forEach(causes::put);
        return new Json.Obj()
                .put("command", row.command().id())
                .put("at", row.at())
                .put("updated", row.updated())
                .put("operator", row.operator())
                .put("from", row.command().origin())
                .put("action", row.action())
                .put("of", row.command().about())
                .put("outcome", row.outcome())
                .put("letters", row.letters())
                .put("causes", causes);
    }
}

package io.redrive.cli.dlq;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.command.PeriodOptions;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.ActionFilter;
import io.redrive.events.DeadLetters;
import io.redrive.events.OperatorAction;
import io.redrive.operations.Operations;
import io.redrive.operations.Verb;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "actions", description = "Show the commands of operators that changed the store, the newest first.")
final class DlqActions extends LetterCommand {

    @Option(names = "--operator", paramLabel = "NAME", description = "Commands of this operator.")
    private @Nullable String operator;

    @Option(
            names = "--action",
            paramLabel = "A",
            description = "${COMPLETION-CANDIDATES}.",
            completionCandidates = Actions.class)
    private @Nullable String action;

    @Mixin
    private PeriodOptions period = new PeriodOptions();

    @Mixin
    private ListOptions list = new ListOptions();

    /** The kinds of actions that a store records, for shells to complete. */
    static final class Actions extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Actions() {
            super(Verb.recorded());
        }
    }

    DlqActions(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        Instant now = context().time().now();
        ActionFilter filter = filter(now);
        int limit = list.limitUpTo(DeadLetters.MAX_PAGE);
        List<OperatorAction> actions = operations.actions(filter, limit);
        if (list.json()) {
            actions.forEach(row -> say(json(row)));
        } else if (actions.isEmpty()) {
            say(
                    filter.equals(ActionFilter.ALL)
                            ? "no operator has changed this store yet"
                            : "no action matches the filter");
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
                period.since(now).orElse(null), period.until(now).orElse(null));
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

    private static JsonObject json(OperatorAction row) {
        JsonObject causes = new JsonObject();
        row.causes().forEach(causes::put);
        return new JsonObject()
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

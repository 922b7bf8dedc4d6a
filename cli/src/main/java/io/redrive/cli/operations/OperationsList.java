package io.redrive.cli.operations;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.DeadLetters;
import io.redrive.events.RedriveOperation;
import io.redrive.operations.Operations;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "list", description = "List redrive operations, the newest first.")
final class OperationsList extends OperationsCommand {

    @Mixin
    private ListOptions list = new ListOptions(20);

    OperationsList(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        List<RedriveOperation> found = operations.redrives().list(list.limitUpTo(DeadLetters.MAX_PAGE));
        if (list.json()) {
            found.forEach(operation -> say(OperationText.json(operation)));
        } else if (found.isEmpty()) {
            say("no redrive operations; start one with: redrive dlq redrive --canary --fingerprint F" + onStore());
        } else {
            say(table(found, context().time().now()));
        }
        return 0;
    }

    private static TextTable table(List<RedriveOperation> found, Instant now) {
        TextTable table = new TextTable(
                Column.left("operation"),
                Column.left("state"),
                Column.right("letters"),
                Column.right("redriven"),
                Column.right("done"),
                Column.right("dead again"),
                Column.left("began"),
                Column.elastic("operator"),
                Column.elastic("of").droppable(1));
        found.forEach(operation -> table.add(
                operation.id(),
                (operation.plan().isCanary() ? "canary " : "")
                        + operation.state().code(),
                operation.counts().selected(),
                operation.counts().redriven(),
                operation.counts().done(),
                operation.counts().deadAgain(),
                Printable.age(operation.times().created(), now),
                operation.command().operator(),
                operation.command().about()));
        return table;
    }
}

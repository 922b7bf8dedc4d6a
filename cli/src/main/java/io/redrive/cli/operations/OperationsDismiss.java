package io.redrive.cli.operations;

import io.redrive.cli.command.Context;
import io.redrive.events.RedriveOperation;
import io.redrive.operations.RedriveOperations;
import picocli.CommandLine.Command;

@Command(
        name = "dismiss",
        description = "Remove an ended operation with the results of its letters. The record of actions keeps its row.")
final class OperationsDismiss extends OneOperationCommand {

    OperationsDismiss(Context context) {
        super(context);
    }

    @Override
    RedriveOperation change(RedriveOperations redrives, String operation) {
        return redrives.dismiss(operation);
    }

    @Override
    String told(RedriveOperation dismissed) {
        return "operation " + dismissed.id() + " dismissed; " + OperationText.progress(dismissed);
    }
}

package io.redrive.cli.operations;

import io.redrive.cli.command.Context;
import io.redrive.events.RedriveOperation;
import io.redrive.operations.RedriveOperations;
import picocli.CommandLine.Command;

@Command(
        name = "cancel",
        description = "End an operation. Letters that were not sent stay dead letters; redriven events stay redriven.")
final class OperationsCancel extends OneOperationCommand {

    OperationsCancel(Context context) {
        super(context);
    }

    @Override
    RedriveOperation change(RedriveOperations redrives, String operation) {
        return redrives.cancel(operation);
    }
}

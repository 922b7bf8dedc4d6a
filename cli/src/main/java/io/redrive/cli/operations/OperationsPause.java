package io.redrive.cli.operations;

import io.redrive.cli.command.Context;
import io.redrive.events.RedriveOperation;
import io.redrive.operations.RedriveOperations;
import picocli.CommandLine.Command;

@Command(name = "pause", description = "Send no further letter until the operation is resumed. Events under way go on.")
final class OperationsPause extends OneOperationCommand {

    OperationsPause(Context context) {
        super(context);
    }

    @Override
    RedriveOperation change(RedriveOperations redrives, String operation) {
        return redrives.pause(operation);
    }
}

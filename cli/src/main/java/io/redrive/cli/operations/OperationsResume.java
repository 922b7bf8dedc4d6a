package io.redrive.cli.operations;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.events.RedriveOperation;
import io.redrive.operations.Operations;
import io.redrive.operations.RedriveOperations;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "resume",
        description = "Go on with an operation that is paused, or that no node carries on, and follow it.",
        exitCodeList = {
            ExitCodes.DONE,
            ExitCodes.FAILED,
            ExitCodes.WRONG,
            FollowedRedrive.HALTED_TEXT,
            FollowedRedrive.STOPPED_TEXT
        })
final class OperationsResume extends OneOperationCommand {

    @Option(names = "--no-wait", description = "Do not follow: leave the operation to the nodes of the store.")
    private boolean noWait;

    OperationsResume(Context context) {
        super(context);
    }

    @Override
    RedriveOperation change(RedriveOperations redrives, String operation) {
        return redrives.resume(operation);
    }

    @Override
    int report(Operations operations, RedriveOperation resumed) throws InterruptedException {
        return noWait
                ? super.report(operations, resumed)
                : new FollowedRedrive(this, operations, progressLine(), json(), onStore()).follow(resumed);
    }
}

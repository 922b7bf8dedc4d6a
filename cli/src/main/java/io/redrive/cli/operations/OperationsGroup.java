package io.redrive.cli.operations;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive operations}. */
@Command(
        name = "operations",
        description = "Look at redrives of dead letters that lie in the store; pause, resume, cancel and dismiss them.")
public final class OperationsGroup extends CommandGroup {

    /** Returns the group with all commands. */
    public static CommandLine in(Context context) {
        return new CommandLine(new OperationsGroup())
                .addSubcommand(new OperationsList(context))
                .addSubcommand(new OperationsShow(context))
                .addSubcommand(new OperationsPause(context))
                .addSubcommand(new OperationsResume(context))
                .addSubcommand(new OperationsCancel(context))
                .addSubcommand(new OperationsDismiss(context));
    }
}

package io.redrive.cli.operations;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive operations}. */
@Command(
        name = "operations",
        description = "Look at redrives of dead letters that lie in the store; pause, resume, cancel and dismiss them.")
public final class OperationsGroup extends CommandGroup {

    /** Returns the group, with the command that {@code words} name or with all commands. */
    public static CommandLine in(Context context, List<String> words) {
        return new NamedCommands()
                .with("list", OperationsList::new)
                .with("show", OperationsShow::new)
                .with("pause", OperationsPause::new)
                .with("resume", OperationsResume::new)
                .with("cancel", OperationsCancel::new)
                .with("dismiss", OperationsDismiss::new)
                .below(new OperationsGroup(), context, words);
    }
}

package io.redrive.cli.causes;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive causes}. */
@Command(
        name = "causes",
        description =
                "Work on the causes of dead letters: who looks after a cause, what is known, in which version it is fixed.")
public final class CausesCommand extends CommandGroup {

    /** Returns the group with all commands. */
    public static CommandLine in(Context context) {
        return new CommandLine(new CausesCommand())
                .addSubcommand(new CausesList(context))
                .addSubcommand(new CausesShow(context))
                .addSubcommand(new CausesDiffers(context))
                .addSubcommand(new CausesAssign(context))
                .addSubcommand(new CausesNote(context))
                .addSubcommand(new CausesResolve(context))
                .addSubcommand(new CausesIgnore(context))
                .addSubcommand(new CausesReopen(context))
                .addSubcommand(new CausesMerge(context));
    }
}

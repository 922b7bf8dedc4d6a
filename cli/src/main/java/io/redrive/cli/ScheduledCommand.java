package io.redrive.cli;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(
        name = "scheduled",
        description = "List events that are not due yet, and cancel events that no handler has begun.")
final class ScheduledCommand extends CommandGroup {

    static CommandLine in(Context context) {
        return new CommandLine(new ScheduledCommand())
                .addSubcommand(new ScheduledList(context))
                .addSubcommand(new ScheduledCancel(context));
    }
}

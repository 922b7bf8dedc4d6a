package io.redrive.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "scheduled",
        description = "List events that are not due yet, and cancel events that nobody has begun.",
        synopsisSubcommandLabel = "COMMAND")
final class ScheduledCommand implements Runnable {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    static CommandLine in(Context context) {
        return new CommandLine(new ScheduledCommand())
                .addSubcommand(new ScheduledList(context))
                .addSubcommand(new ScheduledCancel(context));
    }

    @Override
    public void run() {
        Redrive.usageWithoutCommand(spec);
    }
}

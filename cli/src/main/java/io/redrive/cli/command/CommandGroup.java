package io.redrive.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command without work of its own, which only groups commands. */
@Command(synopsisSubcommandLabel = "COMMAND")
public abstract class CommandGroup implements Runnable {

    @Mixin
    private HelpOption help = new HelpOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    @Override
    public final void run() {
        throw new MissingCommand(spec.commandLine());
    }
}

package io.redrive.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only holds others. */
@Command(synopsisSubcommandLabel = "COMMAND")
public abstract class CommandGroup implements Runnable {

    @Mixin
    private HelpOption help = new HelpOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // The parser sets it before it runs a command.
    private CommandSpec spec;

    @Override
    public final void run() {
        throw new MissingCommand(spec.commandLine());
    }
}

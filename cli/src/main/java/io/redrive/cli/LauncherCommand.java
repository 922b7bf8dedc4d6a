package io.redrive.cli;

import io.redrive.cli.command.HelpOption;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** An entry of the help text for a command that is not in this jar: the launcher of a checkout runs it from another jar. */
@Command
final class LauncherCommand implements Runnable {

    /** Where else a command of the server runs. */
    static final String OR_SERVER_JAR = ", or with the server's jar";

    private final String orElse;

    @Mixin
    private HelpOption help = new HelpOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    private LauncherCommand(String orElse) {
        this.orElse = orElse;
    }

    /** Returns the entry of a command. */
    static CommandLine named(String name, String description, String orElse) {
        CommandLine command = new CommandLine(new LauncherCommand(orElse)).setCommandName(name);
        command.getCommandSpec().usageMessage().description(description);
        return command;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                spec.name() + " must be run from a checkout of the sources" + orElse + ": ./redrive " + spec.name());
    }
}

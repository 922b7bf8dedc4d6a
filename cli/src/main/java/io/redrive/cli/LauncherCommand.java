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
    private static final String OR_SERVER_JAR = ", or with the server's jar";

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

    /** Returns the entries of all such commands. */
    static List<CommandLine> all() {
        return List.of(
                named(
                        "serve",
                        "Run Redrive as a server, on http://127.0.0.1:8080; from a checkout: ./redrive serve",
                        OR_SERVER_JAR),
                named(
                        "config",
                        "Check and show the configuration of a server; from a checkout: ./redrive config check",
                        OR_SERVER_JAR),
                named(
                        "mcp",
                        "Let an assistant read a store and propose commands; from a checkout: ./redrive mcp --store FILE",
                        OR_SERVER_JAR),
                named("bench", "Measure against other libraries; from a checkout: ./redrive bench retry --quick", ""));
    }

    private static CommandLine named(String name, String description, String orElse) {
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

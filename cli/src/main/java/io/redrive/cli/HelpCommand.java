package io.redrive.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code redrive help}, such as {@code redrive help policy explain}. */
@Command(name = "help", description = "Show the help of a command, such as: redrive help policy explain")
final class HelpCommand implements Runnable {

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The command and its sub-command.")
    private List<String> path = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    @Override
    public void run() {
        CommandLine command = spec.parent().commandLine();
        for (String name : path) {
            CommandLine next = command.getSubcommands().get(name);
            if (next == null) {
                throw new ParameterException(
                        command,
                        "the command must be one of "
                                + String.join(", ", command.getSubcommands().keySet()) + ", got '" + name + "'");
            }
            command = next;
        }
        command.usage(spec.commandLine().getOut(), command.getColorScheme());
    }
}

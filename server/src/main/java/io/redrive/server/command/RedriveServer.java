package io.redrive.server.command;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that need a server: {@code redrive serve}, {@code redrive config} and {@code redrive mcp}. Exit codes: 0 done, 1 failed, 2 wrong input. */
@Command(
        name = "redrive",
        description = "Run Redrive as a server, look at its configuration, and serve assistants.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:failed", "2:wrong input; nothing was started"})
public final class RedriveServer implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    private RedriveServer() {}

    /** Runs the command and ends the JVM with its exit code; {@code serve} runs until the process is told to stop. */
    public static void main(String[] args) {
        System.exit(commandLine(System.getenv()).execute(args));
    }

    /** Returns the commands with these environment variables. */
    public static CommandLine commandLine(Map<String, String> variables) {
        return new CommandLine(new RedriveServer())
                .addSubcommand(new ServeCommand(variables))
                .addSubcommand(ConfigCommand.with(variables))
                .addSubcommand(new McpCommand(variables))
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(RedriveServer::refused)
                .setExecutionExceptionHandler(RedriveServer::failed);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? serve, config or mcp");
    }

    /** Says what is wrong in one line: the whole help would push that line out of sight. */
    private static int refused(ParameterException refusal, String[] arguments) {
        CommandLine command = refusal.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        List<String> near = refusal instanceof CommandLine.UnmatchedArgumentException unmatched
                ? unmatched.getSuggestions()
                : List.of();
        String meant = near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
        PrintWriter err = command.getErr();
        err.println(name + ": " + refusal.getMessage() + meant + "; " + name + " --help lists what there is");
        err.flush();
        return 2;
    }

    private static int failed(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        if (failure instanceof IllegalArgumentException) {
            err.println(name + ": " + failure.getMessage());
            err.flush();
            return 2;
        }
        err.println(name + ": " + StartFailure.describe(failure));
        err.flush();
        return StartFailure.isWrongSetting(failure) ? 2 : 1;
    }
}

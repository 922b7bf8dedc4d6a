package io.redrive.cli;

import io.redrive.cli.activity.ActivityCommand;
import io.redrive.cli.causes.CausesCommand;
import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.command.MissingCommand;
import io.redrive.cli.command.NamedCommands;
import io.redrive.cli.command.Version;
import io.redrive.cli.demo.DemoCommand;
import io.redrive.cli.dlq.DlqCommand;
import io.redrive.cli.events.EventsCommand;
import io.redrive.cli.kafka.KafkaCommand;
import io.redrive.cli.operations.OperationsGroup;
import io.redrive.cli.policy.PolicyCommand;
import io.redrive.cli.proposals.ProposalsCommand;
import io.redrive.cli.remote.RemoteOperations;
import io.redrive.cli.remote.UnreadableAnswerException;
import io.redrive.cli.runs.RunCommand;
import io.redrive.cli.runs.RunsCommand;
import io.redrive.cli.server.RoutesCommand;
import io.redrive.cli.server.StatusCommand;
import io.redrive.cli.terminal.ConsoleLog;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.SystemTerminal;
import io.redrive.cli.token.TokenCommand;
import io.redrive.core.SettingException;
import io.redrive.core.Time;
import io.redrive.events.StoreException;
import io.redrive.jdbc.ConnectionSecrets;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root of the {@code redrive} commands. Exit codes: 0 done, 1 failed, 2 wrong input. */
@Command(
        name = "redrive",
        description = "Retries that end well: events that are not lost, dead letters that come back, policies you can"
                + " look at before they run.",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Start here:",
            "  redrive demo",
            "  redrive demo run",
            "  redrive dlq --help",
            "  redrive policy explain --preset visibility",
            "  redrive policy explain --delays 1s,5s,30s --max-attempts 6 --jitter 0.2"
        },
        footerHeading = "",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:failed", "2:wrong input"})
public final class Redrive implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    private Redrive() {}

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        ConsoleLog.install();
        PrintWriter out = utf8(FileDescriptor.out);
        PrintWriter err = utf8(FileDescriptor.err);
        Context context = new Context(Time.system(), new JdbcStores(), new SystemTerminal(), System.in)
                .with(RemoteOperations::new);
        int code = commandLine(out, err, context, args).execute(args);
        boolean lost = out.checkError();
        err.flush();
        System.exit(code == 0 && lost ? 1 : code);
    }

    /** Makes the command line for {@code args}: with the command that {@code args} name, or with all commands. */
    static CommandLine commandLine(PrintWriter out, PrintWriter err, Context context, String... args) {
        NamedCommands commands = new NamedCommands()
                .withGroup("demo", (each, words) -> DemoCommand.in(each, Redrive::commandLine, words))
                .with("publish", PublishCommand::new)
                .with("stats", StatsCommand::new)
                .with("activity", ActivityCommand::new)
                .withGroup("kafka", KafkaCommand::in)
                .withGroup("scheduled", ScheduledCommand::in)
                .with("pause", PauseCommand::new)
                .with("resume", ResumeCommand::new)
                .with("pauses", PausesCommand::new)
                .withGroup("dlq", DlqCommand::in)
                .withGroup("causes", CausesCommand::in)
                .withGroup("events", EventsCommand::in)
                .withGroup("operations", OperationsGroup::in)
                .with("run", RunCommand::new)
                .withGroup("runs", RunsCommand::in)
                .withGroup("policy", PolicyCommand::in)
                .withGroup("token", TokenCommand::in)
                .with("status", StatusCommand::new)
                .withGroup("routes", RoutesCommand::in)
                .withGroup("proposals", ProposalsCommand::in);
        List<String> words = Arrays.asList(args);
        CommandLine line = commands.below(new Redrive(), context, words);
        if (!commands.hasFirstOf(words)) {
            LauncherCommand.all().forEach(line::addSubcommand);
            line.addSubcommand(new CompletionCommand()).addSubcommand(new HelpCommand());
        }
        return line.setOut(out)
                .setErr(err)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(Redrive::wrongInput)
                .setExecutionExceptionHandler(Redrive::failed);
    }

    @Override
    public void run() {
        throw new MissingCommand(spec.commandLine());
    }

    private static int wrongInput(ParameterException mistake, String[] args) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        if (mistake instanceof MissingCommand) {
            command.usage(err, command.getColorScheme());
        } else {
            err.println(command.getColorScheme()
                    .errorText(name + ": " + safe(rewritten(String.valueOf(mistake.getMessage())))));
            Optional<String> meant = nearestOption(mistake);
            if (meant.isPresent()) {
                err.println("Did you mean: " + meant.get() + "?");
            } else {
                UnmatchedArgumentException.printSuggestions(mistake, err);
            }
            boolean asksServer = Arrays.stream(args).anyMatch(word -> word.startsWith("--server"));
            if (asksServer && command.getCommandSpec().findOption("--server") == null) {
                err.println("This command works on this machine alone: it takes no server.");
            }
            err.println("Try '" + name + " --help'.");
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Returns the nearest option. The parser itself suggests only options that begin with the same two letters. */
    private static Optional<String> nearestOption(ParameterException mistake) {
        if (!(mistake instanceof UnmatchedArgumentException unmatched) || !unmatched.isUnknownOption()) {
            return Optional.empty();
        }
        String given = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
        Set<String> known =
                mistake.getCommandLine().getCommandSpec().optionsMap().keySet();
        return SettingException.nearest(given, known);
    }

    /** Rewrites messages of the parser, which has no fields for them: without a prefix and without types of Java. */
    private static String rewritten(String message) {
        return message.replaceFirst("^Error: ", "")
                .replaceFirst(
                        "^Invalid value for option '([^']+)'[^:]*: '(.*)' is not an? (int|long)$",
                        "$1 must be a whole number, got '$2'")
                .replaceFirst("^(Unknown options?|Unmatched arguments? (at|from) index \\d+): ", "not known here: ");
    }

    private static int failed(Exception error, CommandLine command, CommandLine.ParseResult parsed) {
        String name = command.getCommandSpec().qualifiedName();
        // Messages for users are shown alone, messages of other exceptions with the type of the exception.
        boolean forUsers = error instanceof CommandFailed
                || error instanceof StoreException
                || error instanceof UnreadableAnswerException;
        Object told = forUsers ? error.getMessage() : error;
        command.getErr().println(command.getColorScheme().errorText(name + ": " + safe(String.valueOf(told))));
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /** Returns the message without passwords and control characters: messages quote names, addresses and drivers. */
    private static String safe(String message) {
        return Printable.block(ConnectionSecrets.hidden(message));
    }

    /** Returns a writer for UTF-8, which charts need even where the locale is C, as in most containers. */
    private static PrintWriter utf8(FileDescriptor to) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(to), StandardCharsets.UTF_8), true);
    }
}

package io.redrive.cli.demo;

import io.redrive.cli.command.CommandLines;
import io.redrive.cli.command.ConsoleCommand;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.command.NamedCommands;
import io.redrive.cli.terminal.LogFile;
import io.redrive.cli.terminal.StopHook;
import io.redrive.events.EventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code redrive demo}: events through a pipeline on a store in a file. */
@Command(
        name = "demo",
        description = {
            "See Redrive at work: a server with its console, sample traffic that fails, is retried and dead-lettered, webhooks"
                    + " to a receiver that is sometimes down, and an item run.",
            "The store stays, for the dlq commands; kill the demo and start it again on the same store if you like."
        },
        footerHeading =
                "%nSamples through a model-like service: redrive demo run%nWithout a store: redrive demo calls%n",
        exitCodeList = {ExitCodes.DONE, "1:failed: the store cannot be used", ExitCodes.WRONG})
public final class DemoCommand extends ConsoleCommand {

    /** More time than a pipeline takes to stop. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private static final Duration UNATTENDED = Duration.ofSeconds(30);

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "The store: a file, or a JDBC URL of PostgreSQL; a fresh temporary file by default.")
    private @Nullable String store;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long to publish; without it until Ctrl-C at a terminal, and for 30 seconds elsewhere.")
    private @Nullable Integer seconds;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "25",
            description = "Events published a second (default: ${DEFAULT-VALUE}); 0 only handles what is there.")
    private int rate;

    @Option(
            names = "--fixed",
            description = "With the handlers' bugs repaired and nothing down: to see a redrive succeed.")
    private boolean fixed;

    @Option(
            names = "--no-server",
            description = "Events in this terminal alone: no server, no console, no webhooks, no item run.")
    private boolean noServer;

    private DemoCommand(Context context) {
        super(context);
    }

    /**
     * Returns the command with the demo below it that {@code words} name, or with all of them.
     *
     * @param commands makes the command line on which {@code demo run} starts its run
     */
    public static CommandLine in(Context context, CommandLines commands, List<String> words) {
        return new NamedCommands()
                .with("run", each -> new DemoRun(each, commands))
                .with("calls", each -> new DemoCalls(each.time()))
                .below(new DemoCommand(context), context, words);
    }

    @Override
    public Integer call() throws IOException {
        if (seconds != null) {
            require("--seconds", seconds, 1, 86_400);
        }
        require("--rate", rate, 0, 10_000);
        String address = address();
        Path logFile = JdbcStores.isUrl(address)
                ? Files.createTempDirectory("redrive-demo-").resolve("events.db.log")
                : Path.of(address + ".log");
        DemoScreen screen = new DemoScreen(out(), paint(), context().terminal());
        EventsDemo.Settings settings =
                new EventsDemo.Settings(JdbcStores.shown(address), logFile, length(), rate, fixed);
        // Ctrl-C ends the traffic; the demo then prints its summary before the JVM ends.
        try (StopHook hook = new StopHook(Thread.currentThread()::interrupt, STOP_LIMIT);
                LogFile log = new LogFile(logFile);
                EventStore events = context().stores().create(address);
                @Nullable DemoSite site = noServer ? null : DemoSite.startIfPossible(context(), address, settings)) {
            if (site == null && !noServer) {
                note("the console needs the server, which is not in this jar; from a checkout: ./redrive demo");
            }
            new EventsDemo(events, Optional.ofNullable(site), screen, context().time(), settings).run();
        }
        return 0;
    }

    private Optional<Duration> length() {
        if (seconds != null) {
            return Optional.of(Duration.ofSeconds(seconds));
        }
        return context().terminal().isInteractive() ? Optional.empty() : Optional.of(UNATTENDED);
    }

    private String address() throws IOException {
        if (store == null) {
            return Files.createTempDirectory("redrive-demo-")
                    .resolve("events.db")
                    .toString();
        }
        return JdbcStores.isUrl(store) ? store : Path.of(store).toAbsolutePath().toString();
    }

    private void require(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw wrong(option + " must be between " + least + " and " + most + ", got " + value);
        }
    }
}

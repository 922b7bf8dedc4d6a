package io.redrive.cli;

import io.redrive.events.EventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description = {
            "See events handled, retried and dead-lettered: sample traffic through a pipeline on a store in a file.",
            "The file stays, for the dlq commands; kill the demo and start it again on the same file if you like."
        },
        sortOptions = false,
        footerHeading =
                "%nSamples through a model-like service: redrive demo run%nWithout a store: redrive demo calls%n",
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, "1:failed: the store cannot be used", StoreCommand.WRONG})
final class DemoCommand implements Callable<Integer> {

    /** Longer than a pipeline takes to stop. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

    private final Context context;

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "The store: a file, or a JDBC URL of PostgreSQL; a fresh temporary file by default.")
    private String store;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "How long to publish (default: ${DEFAULT-VALUE}); Ctrl-C stops sooner.")
    private int seconds;

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

    private DemoCommand(Context context) {
        this.context = context;
    }

    static CommandLine in(Context context) {
        return new CommandLine(new DemoCommand(context))
                .addSubcommand(new DemoRun(context))
                .addSubcommand(new DemoCalls(context.time()));
    }

    @Override
    public Integer call() throws IOException {
        require("--seconds", seconds, 1, 86_400);
        require("--rate", rate, 0, 10_000);
        boolean isDatabase = store != null && JdbcStores.isUrl(store);
        Path file = store == null || isDatabase
                ? Files.createTempDirectory("redrive-demo-").resolve("events.db")
                : Path.of(store).toAbsolutePath();
        String address = isDatabase ? store : file.toString();
        Path logFile = Path.of(file + ".log");
        CommandLine command = spec.commandLine();
        DemoScreen screen = new DemoScreen(
                command.getOut(), new Paint(command.getColorScheme().ansi()), context);
        EventsDemo.Settings settings =
                new EventsDemo.Settings(JdbcStores.shown(address), logFile, Duration.ofSeconds(seconds), rate, fixed);
        // Ctrl-C ends the traffic and lets the demo say what it did, before the JVM goes.
        try (StopHook hook = new StopHook(Thread.currentThread()::interrupt, STOP_LIMIT);
                LogFile log = new LogFile(logFile);
                EventStore events = context.stores().create(address)) {
            new EventsDemo(events, screen, context.time(), settings).run();
        }
        return 0;
    }

    private void require(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be between " + least + " and " + most + ", got " + value);
        }
    }
}

package io.redrive.cli.demo;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.CommandLines;
import io.redrive.cli.command.ConsoleCommand;
import io.redrive.cli.command.Context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "run",
        description = {
            "See a run at work: articles go through a model-like HTTP service on this machine that is slow, limited,"
                    + " sometimes down, and chokes on a few of them.",
            "Stop it with Ctrl-C and start it again on the same folder if you like."
        },
        exitCodeList = {"0 to 5, 130:as of redrive run"})
final class DemoRun extends ConsoleCommand {

    private static final Pattern PORT = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/");
    private static final int MOST_SAMPLES = 1_000_000;

    private final CommandLines commands;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Where the demo's files are; a fresh temporary folder by default.")
    private @Nullable Path folder;

    @Option(
            names = "--samples",
            paramLabel = "N",
            defaultValue = "600",
            description = "How many articles (default: ${DEFAULT-VALUE}).")
    private int samples;

    @Option(
            names = "--fixed",
            description =
                    "With the service repaired: brings the dead samples of the folder's run back and finishes them.")
    private boolean fixed;

    DemoRun(Context context, CommandLines commands) {
        super(context);
        this.commands = commands;
    }

    @Override
    public Integer call() throws IOException {
        if (samples < 1 || samples > MOST_SAMPLES) {
            throw wrong("--samples must be between 1 and " + MOST_SAMPLES + ", got " + samples);
        }
        Path home = folder == null ? Files.createTempDirectory("redrive-demo-") : Files.createDirectories(folder);
        Path pipeline = home.resolve("pipeline.yml");
        boolean again = Files.exists(pipeline);
        try (DemoModel model =
                new DemoModel(again ? portIn(pipeline) : 0, fixed, context().time())) {
            if (!again) {
                DemoArticles.write(home.resolve("articles.jsonl"), samples);
                Files.writeString(pipeline, DemoArticles.pipeline(model.port()));
            }
            String store = home.resolve("runs.db").toString();
            note("files in " + home + "; the model listens on port " + model.port());
            int code = fixed && again
                    ? redrive("runs", "reprocess", "demo", "--resume", "--store", store)
                    : redrive(
                            "run",
                            pipeline.toString(),
                            "--input",
                            home.resolve("articles.jsonl").toString(),
                            "--output",
                            home.resolve("summaries.jsonl").toString(),
                            "--run",
                            "demo",
                            "--store",
                            store);
            tellNext(home, store);
            return code;
        }
    }

    /** Runs the command as a user would type it. */
    private int redrive(String... args) {
        note("$ redrive " + String.join(" ", args));
        return commands.of(out(), err(), context(), args)
                .setColorScheme(colors())
                .execute(args);
    }

    private void tellNext(Path home, String store) {
        say("");
        say(paint().bold("Next"));
        say("  ./redrive runs dead demo --store " + store);
        say("  ./redrive runs show demo article-50 --store " + store);
        say("  ./redrive runs report demo --html report.html --store " + store);
        say("repair the service and bring the dead samples back:");
        say("  ./redrive demo run --fixed --folder " + home);
    }

    private static int portIn(Path pipeline) throws IOException {
        Matcher port = PORT.matcher(Files.readString(pipeline));
        if (!port.find()) {
            throw new CommandFailed("--folder must be one that this demo made, got one whose " + pipeline
                    + " names no port of 127.0.0.1");
        }
        return Integer.parseInt(port.group(1));
    }
}

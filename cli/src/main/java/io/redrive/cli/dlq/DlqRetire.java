package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.DurationOption;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.events.LetterFilter;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.pipeline.LetterArchive;
import io.redrive.pipeline.LetterRetention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "retire",
        description = {
            "Export old dead letters to files, then delete them.",
            "The files hold JSON lines packed with gzip, with all stored values; 'dlq import' brings the letters back."
        })
final class DlqRetire extends LetterCommand {

    @Option(
            names = "--older-than",
            paramLabel = "D",
            required = true,
            description = "Letters that died longer ago than this: 90d, 36h; at least 1h.")
    private String olderThan = "";

    @Option(
            names = "--to",
            paramLabel = "FOLDER",
            required = true,
            description = "The folder for the files; it must exist.")
    private Path folder = Path.of(".");

    @Option(names = "--dry-run", description = "Only say how many letters there are.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Mixin
    private OperatorOption operator = new OperatorOption();

    DlqRetire(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    protected int run(Operations operations) {
        Duration age = DurationOption.parse("--older-than", olderThan);
        if (age.compareTo(LetterRetention.SHORTEST) < 0) {
            throw wrong("--older-than must be at least 1h, got '" + olderThan + "'");
        }
        LetterRetention retention = new LetterRetention(age, folder);
        if (!Files.isDirectory(folder)) {
            throw wrong("--to must be a folder that exists, got '" + folder + "'");
        }
        LetterFilter old =
                LetterFilter.ALL.withTime(null, context().time().now().minus(retention.olderThan()));
        long count = operations.letters().count(old);
        if (dryRun || count == 0) {
            say(letters(count) + " would be exported and deleted");
            return 0;
        }
        if (!yes && !isConfirmed("export " + letters(count) + " to " + folder + " and delete them")) {
            say("nothing was deleted");
            return 0;
        }
        ProgressLine progress = progressLine();
        try {
            List<LetterArchive.Sweep> sweeps = operations
                    .letters()
                    .retire(retention, deleted -> progress.show(deleted + " of " + count + " exported and deleted"));
            progress.end();
            sweeps.forEach(sweep -> say(folder.resolve(sweep.file()) + "  " + letters(sweep.letters())));
            return 0;
        } catch (IOException e) {
            progress.end();
            throw new CommandFailed("the letters that could not be exported stay in the store: " + e, e);
        }
    }
}

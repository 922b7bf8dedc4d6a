package io.redrive.cli;

import io.redrive.items.store.RunStore;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "resume",
        description =
                "Go on with a run that was stopped, killed or over its failure budget, with the files it began with.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {
            RunExit.COMPLETED_TEXT,
            RunExit.FAILED_TEXT,
            RunExit.WRONG_TEXT,
            RunExit.PARTIAL_TEXT,
            RunExit.BAD_TEXT,
            RunExit.BUDGET_TEXT,
            RunExit.STOPPED_TEXT
        })
final class RunsResume extends RunStoreCommand {

    @Parameters(paramLabel = "RUN", description = "The run's id.")
    private String run;

    @Mixin
    private RunReporting reporting;

    @Option(names = "--quiet", description = "No progress.")
    private boolean quiet;

    RunsResume(Context context) {
        super(context);
    }

    @Override
    int run(RunStore store) throws IOException {
        reporting.check(
                RunFiles.of(RunText.find(store.archive(), run, context.time().now()))
                        .all());
        RunTask.Wishes wishes = new RunTask.Wishes(quiet, reporting.json, reporting.html, onStore());
        return new Resumption(this, store, address()).resume(run, wishes);
    }
}

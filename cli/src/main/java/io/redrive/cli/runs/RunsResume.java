package io.redrive.cli.runs;

import io.redrive.cli.command.Context;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import io.redrive.operations.RunOperations;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "resume",
        description =
                "Go on with a run that was stopped, killed or over its failure budget, with the files it began with.",
        exitCodeList = {
            RunExit.COMPLETED_TEXT,
            RunExit.FAILED_TEXT,
            RunExit.WRONG_TEXT,
            RunExit.PARTIAL_TEXT,
            RunExit.BAD_TEXT,
            RunExit.BUDGET_TEXT,
            RunExit.STOPPED_TEXT
        })
final class RunsResume extends StoredRunsCommand {

    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String id = "";

    @Mixin
    private ReportOptions report = new ReportOptions();

    @Option(names = "--quiet", description = "No progress.")
    private boolean quiet;

    RunsResume(Context context) {
        super(context);
    }

    @Override
    int run(RunStore store) throws IOException {
        RunRecord run = RunText.find(RunOperations.of(store, context().time()), id);
        report.check(RunFiles.of(run).all());
        return new Resumption(this, store, address()).resume(run, new RunTask.Display(quiet, report, onStore()));
    }

    @Override
    int run(RunOperations runs) {
        throw wrong("runs resume must be given --store: a run goes on where its files are, and no server has them");
    }
}

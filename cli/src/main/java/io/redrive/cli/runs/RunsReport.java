package io.redrive.cli.runs;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.items.report.RunReport;
import io.redrive.items.store.RunRecord;
import io.redrive.operations.RunOperations;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "report",
        description =
                "Tell what became of a run: status, balance, retries, most common errors, how reliable each stage was.")
final class RunsReport extends OneRunCommand {

    @Mixin
    private ReportOptions options = new ReportOptions();

    RunsReport(Context context) {
        super(context);
    }

    @Override
    int run(RunOperations runs, RunRecord run) throws IOException {
        options.check(RunFiles.ifAny(run).map(RunFiles::all).orElse(List.of()));
        RunReport report = runs.report(run.id())
                .orElseThrow(() -> new CommandFailed("run " + run.id() + " was deleted meanwhile"));
        if (options.html().isPresent()) {
            options.writePage(report, this);
        }
        if (options.json() || options.html().isEmpty()) {
            options.print(report, this);
        }
        return 0;
    }
}

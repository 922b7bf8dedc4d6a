package io.redrive.cli;

import io.redrive.items.report.RunReport;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "report",
        description =
                "Tell what became of a run: status, balance, retries, most common errors, how reliable each stage was.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class RunsReport extends RunStoreCommand {

    @Parameters(paramLabel = "RUN", description = "The run's id.")
    private String run;

    @Mixin
    private RunReporting reporting;

    RunsReport(Context context) {
        super(context);
    }

    @Override
    int run(RunStore store) throws IOException {
        RunRecord found = RunText.find(store.archive(), run, context.time().now());
        reporting.check(RunFiles.ifAny(found).map(RunFiles::all).orElse(List.of()));
        RunReport report = RunReport.of(store.archive(), run, context.time().now());
        if (reporting.html != null) {
            Files.writeString(reporting.html, report.html());
            note("the report as a page: " + reporting.html);
        }
        if (reporting.json || reporting.html == null) {
            say((reporting.json ? report.json() : report.text()).stripTrailing());
        }
        return 0;
    }
}

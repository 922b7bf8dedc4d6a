package io.redrive.cli.runs;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.terminal.LogFile;
import io.redrive.cli.terminal.StopHook;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import io.redrive.pipelinefiles.PipelineFile;
import io.redrive.pipelinefiles.PipelinePlan;
import io.redrive.pipelinefiles.RunContext;
import io.redrive.pipelinefiles.StopSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code redrive run}: takes the samples of a file through the stages of a pipeline file. */
@Command(
        name = "run",
        description = {
            "Take the samples of a file through the stages of a pipeline: HTTP calls, commands, filters, as a YAML file"
                    + " describes them. Every sample is accounted for.",
            "Ctrl-C stops without losing anything, and the same command goes on; so it does after a crash."
        },
        footerHeading = "%nSee one at work: redrive demo run%n",
        exitCodeList = {
            RunExit.COMPLETED_TEXT,
            RunExit.FAILED_TEXT,
            RunExit.WRONG_TEXT,
            RunExit.PARTIAL_TEXT,
            RunExit.BAD_TEXT,
            RunExit.BUDGET_TEXT,
            RunExit.STOPPED_TEXT
        })
public final class RunCommand extends RunStoreCommand {

    /** More time than a run takes to stop. */
    static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    @Parameters(paramLabel = "PIPELINE", description = "The pipeline file, such as summaries.yml.")
    @SuppressWarnings("NullAway.Init") // Required: the parser refuses a command line without this value.
    private Path pipeline;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            required = true,
            description = "The samples: JSON lines, a JSON array, or CSV with a header; also packed with gzip or zstd.")
    @SuppressWarnings("NullAway.Init") // Required: the parser refuses a command line without this value.
    private Path input;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where results go, one a line; packed with gzip when its name ends with .gz.")
    private @Nullable Path output;

    @Mixin
    private SelectionOptions selection = new SelectionOptions();

    @Option(
            names = "--dry-run",
            description = "Show the first three samples on their way through every stage, and write nothing: no run, no"
                    + " output. HTTP and command stages are called.")
    private boolean dryRun;

    @Option(
            names = "--run",
            paramLabel = "ID",
            description = "The run's id; by default made of the pipeline's name and the output file, so that the same"
                    + " command means the same run.")
    private @Nullable String id;

    @Option(
            names = "--restart",
            description = "Forget the earlier run with this id and its output, and begin with the first sample.")
    private boolean restart;

    @Mixin
    private ReportOptions report = new ReportOptions();

    @Option(names = "--quiet", description = "No progress.")
    private boolean quiet;

    public RunCommand(Context context) {
        super(context);
    }

    /** Checks all input before opening the store, because opening may create a store. */
    @Override
    int execute() throws Exception {
        if (output == null && !dryRun) {
            throw new IllegalArgumentException("--output must name the file for the results, got none");
        }
        // A dry run has no output; the input takes the place of the file.
        RunFiles files = new RunFiles(pipeline, input, output == null ? input : output, selection.selection());
        StopSignal stop = new StopSignal();
        try (PipelinePlan plan = PipelineFile.read(
                pipeline, new RunContext(context().environment(), context().time(), stop))) {
            if (dryRun) {
                files.checkInput();
            } else {
                files.check();
            }
            plan.check(files.input());
            report.check(files.all());
            plan.warnings().forEach(warning -> note("warning: " + warning));
            if (dryRun) {
                return new DryRun(this).run(plan, files, stop);
            }
            try (StopHook hook = new StopHook(stop::raise, STOP_LIMIT);
                    RunStore store = context().stores().createRuns(address());
                    LogFile log = new LogFile(JdbcStores.logFile(address()))) {
                String run = id == null ? files.runId(plan.pipeline().name()) : id;
                if (restart) {
                    forget(run, files, store);
                }
                RunTask.Display display = new RunTask.Display(quiet, report, onStore());
                return new RunTask(this, store, display).run(run, plan, files, stop);
            }
        }
    }

    /** Deletes the earlier run, and the output if the earlier run wrote to it; no other file is deleted. */
    private void forget(String run, RunFiles files, RunStore store) throws IOException {
        Optional<RunRecord> earlier = store.archive().find(run, context().time().now());
        boolean wroteOutput = earlier.isPresent() && files.isOutputOf(earlier.get());
        if (!wroteOutput) {
            files.requireFresh();
        }
        if (store.archive().delete(run, context().time().now()) && wroteOutput) {
            Files.deleteIfExists(files.output());
        }
    }
}

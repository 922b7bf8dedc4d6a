package io.redrive.cli.runs;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.ConsoleCommand;
import io.redrive.core.Time;
import io.redrive.items.FailureBudgetExceeded;
import io.redrive.items.JsonLines;
import io.redrive.items.RunSettings;
import io.redrive.items.SourceException;
import io.redrive.items.StageNeverSucceeded;
import io.redrive.items.report.RunReport;
import io.redrive.items.run.Run;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.operations.RunOperations;
import io.redrive.pipelinefiles.PipelinePlan;
import io.redrive.pipelinefiles.StopSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Works on a run until it ends: shows its progress, stops at Ctrl-C, prints the report and suggests the next command. */
final class RunTask {

    private static final Duration TICK = Duration.ofMillis(100);

    /** The lease is short, because a run that is killed and started again has to wait until its own lease expires. */
    static final RunSettings SETTINGS = RunSettings.STANDARD.withLease(Duration.ofSeconds(5));

    private final ConsoleCommand console;
    private final RunStore store;
    private final Time time;
    private final Display display;

    /**
     * What the user sees of a run.
     *
     * @param quiet true for a run without progress
     * @param report the form of the report
     * @param onStore the option that makes a suggested command use the same store
     */
    record Display(boolean quiet, ReportOptions report, String onStore) {}

    RunTask(ConsoleCommand console, RunStore store, Display display) {
        this.console = console;
        this.store = store;
        this.display = display;
        time = console.context().time();
    }

    /** Begins this run, or continues it, and returns the exit code. */
    int run(String id, PipelinePlan plan, RunFiles files, StopSignal stop) throws IOException {
        Optional<RunRecord> before = store.archive().find(id, time.now());
        if (before.isEmpty()) {
            files.requireFresh();
        } else if (before.get().status().isFinal() && before.get().totals().isComplete()) {
            console.note("run " + id + " has ended already" + inputChange(before.get(), plan, files)
                    + "; --restart does it again");
            warnOfUncommitted(id, files.output());
            return report(before.get());
        }
        before.ifPresent(files::requireSelectionOf);
        RunScreen screen =
                new RunScreen(console.err(), console.paint(), console.context().terminal(), display.quiet());
        Run run = Run.of(plan.pipeline(), store)
                .id(id)
                .origin(files.origin())
                .from(files.selection().of(plan.source(files.input())))
                .to(JsonLines.sink(files.output()))
                .settings(SETTINGS)
                .listener(screen)
                .node("process-" + ProcessHandle.current().pid())
                .time(time)
                .build();
        stop.then(run::stop);
        stop.then(screen::stopping);
        screen.begin(title(id, plan, before));
        return finish(id, run.start(), screen);
    }

    /** Returns a remark when the length of the input has changed, for users who expect a run of the added samples. */
    private static String inputChange(RunRecord ended, PipelinePlan plan, RunFiles files) {
        long taken = ended.totals().taken();
        try {
            long now = plan.source(files.input()).size().orElse(taken);
            return now == taken
                    ? ""
                    : ", with " + RunText.number(taken) + " samples, and " + files.input() + " has "
                            + RunText.number(now) + " now";
        } catch (Exception e) {
            // The input is gone or cannot be read, but a run that has ended does not need its input.
            return "";
        }
    }

    /**
     * Warns when the output has more bytes than the run has committed. A process of a shared run may have been killed between a
     * write and its commit; other processes then wrote the results of the same samples. Only the user can tell whether the bytes
     * come from that.
     */
    private void warnOfUncommitted(String id, Path output) throws IOException {
        Optional<String> committed =
                store.sinkPosition(id, JsonLines.sink(output).name());
        if (committed.isPresent() && Files.exists(output) && Files.size(output) > Long.parseLong(committed.get())) {
            console.note("warning: " + output + " has " + Files.size(output) + " bytes and the run has committed "
                    + committed.get() + " of them; a process that was killed wrote the rest, and others did it again,"
                    + " or it is not of this run. To have each result once: truncate -s " + committed.get() + " "
                    + output);
        }
    }

    private static String title(String id, PipelinePlan plan, Optional<RunRecord> before) {
        String stages = String.join(" > ", plan.pipeline().stageNames());
        return "run " + id + ": " + stages
                + before.map(run ->
                                "; goes on after " + RunText.number(run.totals().processed()) + " samples")
                        .orElse("");
    }

    private int finish(String id, Run run, RunScreen screen) throws IOException {
        try {
            watch(run, screen);
            return report(run.await());
        } catch (FailureBudgetExceeded e) {
            console.note(String.valueOf(e.getMessage()));
            return report(store.archive().find(id, time.now()).orElseThrow());
        } catch (StageNeverSucceeded e) {
            console.note(String.valueOf(e.getMessage()));
            report(store.archive().find(id, time.now()).orElseThrow());
            return RunExit.NEVER_SUCCEEDED;
        } catch (SourceException | IllegalStateException e) {
            throw new CommandFailed(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("run " + id + " was interrupted; " + resuming(id), e);
        } finally {
            run.close();
        }
    }

    private void watch(Run run, RunScreen screen) throws InterruptedException {
        long began = time.nanos();
        while (!run.isOver()) {
            screen.update(run.progress(), Duration.ofNanos(time.nanos() - began), time.now());
            time.sleep(TICK);
        }
        screen.end(run.progress(), Duration.ofNanos(time.nanos() - began), time.now());
    }

    private int report(RunRecord end) throws IOException {
        printReport(end);
        if (end.totals().dead() > 0 && end.status() != RunStatus.STOPPED) {
            hintAtDead(end);
        }
        if (end.status() == RunStatus.BUDGET_EXCEEDED) {
            console.note("without the dead samples: " + resuming(end.id()) + "; dead samples still count");
        } else if (!end.status().isFinal()) {
            console.note(resuming(end.id()));
        }
        return RunExit.of(end.status());
    }

    private void printReport(RunRecord end) throws IOException {
        ReportOptions options = display.report();
        if (end.status() == RunStatus.STOPPED
                && !options.json()
                && options.html().isEmpty()) {
            // A user who pressed Ctrl-C does not want to wait for the report.
            console.say("stopped: " + end.balance());
        } else {
            RunReport report = RunReport.of(store.archive(), end.id(), time.now());
            options.print(report, console);
            options.writePage(report, console);
        }
    }

    private void hintAtDead(RunRecord end) {
        console.note("dead samples: redrive runs dead " + end.id() + display.onStore());
        if (RunText.hasDeadToRevive(RunOperations.of(store, time), end)) {
            console.note("after a fix:  redrive runs reprocess " + end.id() + " --resume" + display.onStore());
        } else {
            console.note("after a fix:  run the corrected lines from a file of their own, or all again with --restart");
        }
    }

    private String resuming(String id) {
        return "the same command goes on with it, and so does: redrive runs resume " + id + display.onStore();
    }
}

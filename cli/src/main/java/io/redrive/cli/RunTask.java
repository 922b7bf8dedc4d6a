package io.redrive.cli;

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
import io.redrive.pipelinefiles.PipelinePlan;
import io.redrive.pipelinefiles.StopSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Takes a run to its end: shows how far it is, stops when it is told to, and says what became of it. */
final class RunTask {

    private static final Duration TICK = Duration.ofMillis(100);

    /** Short: whoever is killed and started again need not wait for its own lease to run out for long. */
    static final RunSettings SETTINGS = RunSettings.STANDARD.withLease(Duration.ofSeconds(5));

    private final ConsoleCommand console;
    private final RunStore store;
    private final Time time;
    private final Wishes wishes;

    /**
     * What the user wants to see.
     *
     * @param quiet no progress
     * @param json the report as JSON
     * @param html where to put the report as a page; null for nowhere
     * @param onStore what to add to a command that is to work on the same store
     */
    record Wishes(boolean quiet, boolean json, Path html, String onStore) {}

    RunTask(ConsoleCommand console, RunStore store, Wishes wishes) {
        this.console = console;
        this.store = store;
        this.wishes = wishes;
        time = console.context.time();
    }

    /** Runs, or goes on with, this run; the exit code. */
    int run(String id, PipelinePlan plan, RunFiles files, StopSignal stop) throws IOException {
        Optional<RunRecord> before = store.archive().find(id, time.now());
        if (before.isEmpty()) {
            files.requireFresh();
        } else if (before.get().status().isFinal() && before.get().totals().isComplete()) {
            console.note("run " + id + " has ended already" + changed(before.get(), plan, files)
                    + "; --restart does it again");
            warnOfMore(id, files.output());
            return told(before.get());
        }
        before.ifPresent(files::requireSelectionOf);
        RunScreen screen = new RunScreen(console.err(), console.paint(), console.context.terminal(), wishes.quiet());
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
        return told(id, run.start(), screen);
    }

    /** What to add when the input is not as long as it was: whoever added to it expects the rest to be done. */
    private static String changed(RunRecord ended, PipelinePlan plan, RunFiles files) {
        long taken = ended.totals().taken();
        try {
            long now = plan.source(files.input()).size().orElse(taken);
            return now == taken
                    ? ""
                    : ", with " + RunText.number(taken) + " samples, and " + files.input() + " has "
                            + RunText.number(now) + " now";
        } catch (Exception e) {
            // It is gone or cannot be read: nothing to say, the run has no need of it.
            return "";
        }
    }

    /**
     * One of several processes may have been killed between a write and its commit; the others have done the same samples,
     * and it was not there any more to take its own lines back. Nobody but the user knows whether they are that.
     */
    private void warnOfMore(String id, Path output) throws IOException {
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

    private int told(String id, Run run, RunScreen screen) throws IOException {
        try {
            watch(run, screen);
            return told(run.await());
        } catch (FailureBudgetExceeded e) {
            console.note(e.getMessage());
            return told(store.archive().find(id, time.now()).orElseThrow());
        } catch (StageNeverSucceeded e) {
            console.note(e.getMessage());
            told(store.archive().find(id, time.now()).orElseThrow());
            return RunExit.NEVER_SUCCEEDED;
        } catch (SourceException | IllegalStateException e) {
            throw new CommandFailed(e.getMessage(), e);
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

    private int told(RunRecord end) throws IOException {
        report(end);
        if (end.totals().dead() > 0 && end.status() != RunStatus.STOPPED) {
            hintAtDead(end);
        }
        if (end.status() == RunStatus.BUDGET_EXCEEDED) {
            console.note("without them: " + resuming(end.id()) + "; those that died still count");
        } else if (!end.status().isFinal()) {
            console.note(resuming(end.id()));
        }
        return RunExit.of(end.status());
    }

    private void report(RunRecord end) throws IOException {
        if (end.status() == RunStatus.STOPPED && !wishes.json() && wishes.html() == null) {
            // Whoever is in a hurry does not want to wait for the report.
            console.say("stopped: " + end.balance());
        } else {
            RunReport report = RunReport.of(store.archive(), end.id(), time.now());
            console.say((wishes.json() ? report.json() : report.text()).stripTrailing());
            if (wishes.html() != null) {
                Files.writeString(wishes.html(), report.html());
                console.note("the report as a page: " + wishes.html());
            }
        }
    }

    private void hintAtDead(RunRecord end) {
        console.note("dead samples: redrive runs dead " + end.id() + wishes.onStore());
        if (RunText.hasDeadToRevive(store.archive(), end)) {
            console.note("after a fix:  redrive runs reprocess " + end.id() + " --resume" + wishes.onStore());
        } else {
            console.note("after a fix:  run the corrected lines from a file of their own, or all again with --restart");
        }
    }

    private String resuming(String id) {
        return "the same command goes on with it, and so does: redrive runs resume " + id + wishes.onStore();
    }
}

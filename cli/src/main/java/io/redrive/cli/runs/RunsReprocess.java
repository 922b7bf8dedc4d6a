package io.redrive.cli.runs;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import io.redrive.operations.RunOperations;
import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "reprocess",
        description = {
            "Bring dead samples back to life at the stage where they died, with all attempts before them.",
            "They go on with their run: at once if it is running, else when it is resumed."
        },
        exitCodeList = {ExitCodes.DONE, ExitCodes.FAILED, ExitCodes.WRONG, "3 and more:with --resume, as of run"})
final class RunsReprocess extends StoredRunsCommand {

    @ArgGroup(multiplicity = "1")
    private Scope scope = new Scope();

    /** One run, or all runs of a pipeline. */
    static final class Scope {
        @Parameters(paramLabel = "RUN", description = "Of the run with this id.")
        private @Nullable String run;

        @Option(names = "--pipeline", paramLabel = "NAME", description = "Of all runs of this pipeline.")
        private @Nullable String pipeline;
    }

    @Mixin
    private DeadOptions options = new DeadOptions();

    @Option(names = "--resume", description = "Go on with the run at once; needs RUN.")
    private boolean resume;

    /** The store; null for a server. */
    private @Nullable RunStore local;

    RunsReprocess(Context context) {
        super(context);
    }

    @Override
    int run(RunStore store) throws Exception {
        local = store;
        return super.run(store);
    }

    @Override
    int run(RunOperations runs) throws Exception {
        if (resume && local == null) {
            throw wrong("--resume must come with --store: a run goes on where its files are, and no server has them");
        }
        if (scope.run != null) {
            return reprocess(runs, RunText.find(runs, scope.run));
        }
        if (resume) {
            throw new IllegalArgumentException(
                    "--resume must have the id of one run, got a pipeline; name the run instead");
        }
        if (bringBack(runs, DeadFilter.ofPipeline(Objects.requireNonNull(scope.pipeline))) > 0) {
            note("resume: redrive runs resume RUN" + onStore());
        }
        return 0;
    }

    private int reprocess(RunOperations runs, RunRecord run) throws IOException {
        options.requireStageOf(run);
        long revived = bringBack(runs, DeadFilter.ofRun(run.id()));
        if (revived == 0) {
            explainNone(runs, run);
        }
        if (resume && local != null) {
            return new Resumption(this, local, address())
                    .resume(run, new RunTask.Display(false, new ReportOptions(), onStore()));
        }
        if (revived > 0) {
            note("resume: redrive runs resume " + run.id() + onStore());
        }
        return 0;
    }

    private long bringBack(RunOperations runs, DeadFilter filter) {
        Instant now = context().time().now();
        long revived = runs.reprocess(options.narrowed(filter, now));
        note(RunText.number(revived) + (revived == 1 ? " sample is" : " samples are") + " back");
        return revived;
    }

    private void explainNone(RunOperations runs, RunRecord run) {
        long dead = run.totals().dead();
        if (dead > 0 && !RunText.hasDeadToRevive(runs, run)) {
            note(
                    (dead == 1 ? "the dead sample" : "the " + RunText.number(dead) + " dead samples") + " of run "
                            + run.id()
                            + " could not be read, so no stage can try again; run the corrected lines from a file of their own");
        } else if (dead > 0) {
            note("none of the " + RunText.number(dead) + " dead samples match; see: redrive runs dead " + run.id()
                    + onStore());
        }
    }
}

package io.redrive.cli;

import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
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
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {
            StoreCommand.DONE,
            StoreCommand.FAILED,
            StoreCommand.WRONG,
            "3 and more:with --resume, as of run"
        })
final class RunsReprocess extends RunStoreCommand {

    @ArgGroup(multiplicity = "1")
    private Which which;

    /** One of them. */
    static final class Which {
        @Parameters(paramLabel = "RUN", description = "Of the run with this id.")
        private String run;

        @Option(names = "--pipeline", paramLabel = "NAME", description = "Of all runs of this pipeline.")
        private String pipeline;
    }

    @Mixin
    private DeadOptions options;

    @Option(names = "--resume", description = "Go on with the run at once; needs RUN.")
    private boolean resume;

    RunsReprocess(Context context) {
        super(context);
    }

    @Override
    int run(RunStore store) throws Exception {
        if (resume && which.run == null) {
            throw new IllegalArgumentException("--resume goes on with one run; name it instead of a pipeline");
        }
        DeadFilter filter;
        if (which.run == null) {
            filter = DeadFilter.ofPipeline(which.pipeline);
        } else {
            options.requireStageOf(
                    RunText.find(store.archive(), which.run, context.time().now()));
            filter = DeadFilter.ofRun(which.run);
        }
        long revived = store.archive()
                .reprocess(
                        options.narrowed(filter, context.time().now()),
                        context.time().now());
        note(RunText.number(revived) + (revived == 1 ? " sample is" : " samples are") + " back");
        if (revived == 0 && which.run != null) {
            explainNone(store);
        }
        if (resume) {
            return new Resumption(this, store, address())
                    .resume(which.run, new RunTask.Wishes(false, false, null, onStore()));
        }
        if (revived > 0) {
            note("resume: redrive runs resume " + (which.run == null ? "RUN" : which.run) + onStore());
        }
        return 0;
    }

    private void explainNone(RunStore store) {
        RunRecord found =
                RunText.find(store.archive(), which.run, context.time().now());
        long dead = found.totals().dead();
        if (dead > 0 && !RunText.hasDeadToRevive(store.archive(), found)) {
            note("the " + RunText.number(dead) + " dead of run " + which.run + " could not be read at all, so there is"
                    + " nothing to begin with; run the corrected lines from a file of their own");
        } else if (dead > 0) {
            note("none of the " + RunText.number(dead) + " dead samples match; see: redrive runs dead " + which.run
                    + onStore());
        }
    }
}

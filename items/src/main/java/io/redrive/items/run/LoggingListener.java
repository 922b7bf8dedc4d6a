package io.redrive.items.run;

import io.redrive.core.DurationText;
import io.redrive.core.PolicyLint;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunListener;
import io.redrive.items.store.RunStatus;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** The log of a run: names and ids, never payloads. Errors are only for ends of runs and for troubles of stores and sinks. */
final class LoggingListener implements RunListener {

    private static final Logger LOG = System.getLogger("io.redrive.items");

    /** Warns about policies of stages that are allowed but probably not meant. */
    static void lint(String run, ItemPipeline<?, ?> pipeline) {
        pipeline.stages()
                .forEach(stage -> PolicyLint.warnings(stage.policy())
                        .forEach(warning -> LOG.log(
                                Level.WARNING,
                                () -> "run '" + run + "': policy of stage '" + stage.name() + "': " + warning)));
    }

    @Override
    public void onStarted(Started event) {
        LOG.log(
                Level.INFO,
                () -> event.taken() == 0
                        ? "run '" + event.run() + "' of pipeline '" + event.pipeline() + "' began"
                        : "run '" + event.run() + "' of pipeline '" + event.pipeline() + "' goes on after "
                                + event.taken() + " samples");
    }

    @Override
    public void onAttempt(Attempted event) {
        if (event instanceof Attempted.Retrying retrying) {
            LOG.log(
                    Level.DEBUG,
                    () -> describe(event.call(), retrying.message()) + ". Retrying in "
                            + DurationText.format(retrying.delay()));
        } else if (event instanceof Attempted.Failed failed) {
            LOG.log(
                    Level.WARNING,
                    () -> describe(event.call(), failed.message()) + ". Dead ("
                            + failed.reason().code() + ")");
        }
    }

    @Override
    public void onSlowed(Slowed event) {
        LOG.log(
                Level.INFO,
                () -> "run '" + event.run() + "': stage '" + event.stage() + "' was asked to wait "
                        + DurationText.format(event.pause()));
    }

    @Override
    public void onLimit(Limited event) {
        LOG.log(
                Level.DEBUG,
                () -> "run '" + event.run() + "': stage '" + event.stage() + "' is called at most " + event.limit()
                        + " times at once: " + event.why());
    }

    @Override
    public void onTrouble(Trouble event) {
        Warnings.log(Level.ERROR, "run '" + event.run() + "': its store or sink failed; trying again: ", event.error());
    }

    @Override
    public void onLeaseLost(LeaseLost event) {
        LOG.log(
                Level.WARNING,
                () -> "run '" + event.run() + "': this process was silent for too long and others may have taken over;"
                        + " joining again");
    }

    @Override
    public void onFinished(Finished event) {
        RunStatus status = event.run().status();
        boolean bad = status == RunStatus.FAILED || status == RunStatus.BUDGET_EXCEEDED;
        LOG.log(
                bad ? Level.ERROR : Level.INFO,
                () -> "run '" + event.run().id() + "': " + status.code() + ", "
                        + event.run().balance());
    }

    private static String describe(StageCall call, String message) {
        return "run '" + call.run() + "': sample " + call.id() + " failed at stage '" + call.stage() + "' (attempt "
                + call.attempt() + "): " + message;
    }
}

package io.redrive.pipeline;

import io.redrive.core.DurationText;
import io.redrive.core.Failure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes the pipeline's log: names and ids, never payloads; level ERROR for dead letters, store failures and a stuck
 * loop.
 */
final class LoggingListener implements PipelineListener {

    private static final Logger LOG = System.getLogger(LoggingListener.class.getPackageName());

    @Override
    public void onStarted(Started event) {
        LOG.log(
                Level.INFO,
                () -> "pipeline of service '" + event.service() + "' started as node '" + event.node() + "' on "
                        + event.store() + "; handlers: "
                        + (event.handlers().isEmpty() ? "none" : String.join(", ", event.handlers())) + "; policies: "
                        + event.policies().entrySet().stream()
                                .map(policy -> policy.getKey() + " " + policy.getValue())
                                .collect(Collectors.joining("; ")));
    }

    @Override
    public void onDone(Done event) {
        if (event.attempts() > 1) {
            LOG.log(Level.INFO, () -> "event " + event.event() + " handled after " + event.attempts() + " attempts");
        }
    }

    @Override
    public void onRetry(Retrying event) {
        LOG.log(
                Level.INFO,
                () -> "event " + event.event() + " failed (attempt " + event.attempt() + "): " + event.message()
                        + ". Retrying in " + DurationText.format(event.delay()));
    }

    @Override
    public void onDead(Dead event) {
        LOG.log(
                Level.ERROR,
                () -> "event " + event.event() + " sent to the dead letters after " + event.attempts()
                        + " attempts (reason: " + event.reason().code() + "): " + event.message());
    }

    @Override
    public void onBatch(Batched event) {
        if (event.isFailedCritical()) {
            LOG.log(
                    Level.WARNING,
                    () -> "a batch of " + event.size() + " critical events failed ("
                            + event.outcome().name().toLowerCase(Locale.ROOT) + ") after "
                            + DurationText.format(event.duration()) + ": " + event.message() + "; failed: "
                            + String.join(", ", event.failedIds()));
        }
    }

    @Override
    public void onStuck(Stuck event) {
        LOG.log(
                Level.WARNING,
                () -> "the handler of " + event.events()
                        + " ignores the interrupt of its time limit and has been running for "
                        + DurationText.format(event.running()) + " on thread '" + event.thread() + "', which is at:"
                        + event.stack().stream()
                                .map(frame -> System.lineSeparator() + "\tat " + frame)
                                .collect(Collectors.joining()));
    }

    @Override
    public void onRecovered(Recovered event) {
        LOG.log(Level.WARNING, () -> event.events() + " events whose leases ran out are ready again");
    }

    @Override
    public void onStale(Stale event) {
        LOG.log(
                Level.WARNING,
                () -> "the settlement of event " + event.event()
                        + " came too late and has no effect: its lease had run out, and another node may have the event");
    }

    @Override
    public void onPaused(Paused event) {
        LOG.log(
                Level.WARNING,
                () -> event.until() == null
                        ? "handling of '" + event.name() + "' resumed"
                        : "nearly every '" + event.name() + "' died; paused until " + event.until());
    }

    @Override
    public void onAlert(Alert event) {
        LOG.log(
                Level.WARNING,
                () -> "alert " + event.name() + (event.raised() ? " raised" : " cleared") + ": " + event.value()
                        + " (threshold " + event.threshold() + ")");
    }

    @Override
    public void onStoreTrouble(StoreTrouble event) {
        Failure.Thrown failure = new Failure.Thrown(event.error(), false);
        String line = "the store failed; trying again: " + failure.detail();
        if (failure.isPrintable()) {
            LOG.log(Level.ERROR, line, event.error());
        } else {
            LOG.log(Level.ERROR, line);
        }
    }

    @Override
    public void onLoopStuck(LoopStuck event) {
        LOG.log(
                Level.ERROR,
                () -> "the pipeline has not moved for " + DurationText.format(event.since()) + ": its thread "
                        + event.thread() + " is busy with one step"
                        + (event.holdsLeases() ? "" : "; its leases are no longer extended")
                        + "\n" + event.stack());
    }

    @Override
    public void onLint(Lint event) {
        LOG.log(Level.WARNING, event.warning());
    }
}

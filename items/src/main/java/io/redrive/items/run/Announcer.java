package io.redrive.items.run;

import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.items.RunListener;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.SampleState;
import java.time.Duration;
import java.time.Instant;

/** Tells listeners what happens; makes nothing for those who do not want to hear it. */
final class Announcer {

    private final String run;
    private final String pipeline;
    private final Listeners listeners;

    Announcer(String run, String pipeline, Listeners listeners) {
        this.run = run;
        this.pipeline = pipeline;
        this.listeners = listeners;
    }

    void passed(Sample sample, Handled handled, AttemptStatus status, String why) {
        if (listeners.hearSuccesses()) {
            attempt(sample, handled, status, new Details(null, null, "", why));
        }
    }

    void failed(Sample sample, Handled handled, Failure failure, Decision decision) {
        Details details = decision.match(
                retry -> new Details(retry.delay(), null, failure.type(), failure.message()),
                giveUp -> new Details(null, giveUp.reason(), failure.type(), failure.message()));
        attempt(sample, handled, details.reason() == null ? AttemptStatus.RETRYING : AttemptStatus.FAILED, details);
    }

    void ended(Sample sample, Instant now) {
        if (listeners.hearSuccesses() || sample.state == SampleState.DEAD) {
            RunListener.Ended event =
                    new RunListener.Ended(run, pipeline, sample.ordinal, sample.id, sample.state, sample.stage, now);
            listeners.tell(listener -> listener.onEnded(event));
        }
    }

    void slowed(String stage, Duration pause, Instant now) {
        RunListener.Slowed event = new RunListener.Slowed(run, pipeline, stage, pause, now);
        listeners.tell(listener -> listener.onSlowed(event));
    }

    private record Details(Duration delay, Reason reason, String errorType, String message) {}

    private void attempt(Sample sample, Handled handled, AttemptStatus status, Details details) {
        RunListener.Attempted event = new RunListener.Attempted(
                run,
                pipeline,
                handled.lane().stage.name(),
                sample.ordinal,
                sample.id,
                sample.failed + 1,
                status,
                handled.took(),
                details.delay(),
                details.reason(),
                details.errorType(),
                details.message(),
                handled.began());
        listeners.tell(listener -> listener.onAttempt(event));
    }
}

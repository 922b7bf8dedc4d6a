package io.redrive.items.run;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.items.RunListener;
import io.redrive.items.RunListener.Attempted;
import io.redrive.items.store.SampleState;
import java.time.Duration;
import java.time.Instant;

/** Makes the events of listeners, and only those that a listener wants to hear. Used by the coordinator only. */
final class Announcer {

    private final String run;
    private final String pipeline;
    private final Listeners listeners;

    Announcer(String run, String pipeline, Listeners listeners) {
        this.run = run;
        this.pipeline = pipeline;
        this.listeners = listeners;
    }

    void succeeded(Sample sample, CallResult call) {
        if (listeners.hearSuccesses()) {
            attempted(new Attempted.Succeeded(attempt(sample, call)));
        }
    }

    void skipped(Sample sample, CallResult call, String why) {
        if (listeners.hearSuccesses()) {
            attempted(new Attempted.Skipped(attempt(sample, call), why));
        }
    }

    void retrying(Sample sample, CallResult call, Failure failure, Duration delay) {
        attempted(new Attempted.Retrying(attempt(sample, call), failure.type(), failure.message(), delay));
    }

    void failed(Sample sample, CallResult call, Failure failure, Reason reason) {
        attempted(new Attempted.Failed(attempt(sample, call), failure.type(), failure.message(), reason));
    }

    private void attempted(Attempted event) {
        listeners.tell(listener -> listener.onAttempt(event));
    }

    private RunListener.StageCall attempt(Sample sample, CallResult call) {
        return new RunListener.StageCall(
                run,
                pipeline,
                call.lane().stage.name(),
                sample.ordinal(),
                sample.id(),
                sample.attempt(),
                call.took(),
                call.began());
    }

    void ended(Sample sample, Instant now) {
        if (listeners.hearSuccesses() || sample.state() == SampleState.DEAD) {
            RunListener.Ended event = new RunListener.Ended(
                    run, pipeline, sample.ordinal(), sample.id(), sample.state(), sample.stage(), now);
            listeners.tell(listener -> listener.onEnded(event));
        }
    }

    void slowed(String stage, Duration pause, Instant now) {
        RunListener.Slowed event = new RunListener.Slowed(run, pipeline, stage, pause, now);
        listeners.tell(listener -> listener.onSlowed(event));
    }

    void limited(String stage, AdaptiveLimit limit, Instant now) {
        RunListener.Limited event = new RunListener.Limited(run, pipeline, stage, limit.limit(), limit.why(), now);
        listeners.tell(listener -> listener.onLimit(event));
    }
}

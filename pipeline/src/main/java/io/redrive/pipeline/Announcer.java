package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Settlement;
import io.redrive.events.activity.ActivityRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiConsumer;

/**
 * Tells listeners how claims ended, and which pauses and alerts began or ended; counts the ends of claims as activity, and offers
 * handled events to the sample. Keeps no state. Thread-safe.
 */
final class Announcer implements Settlement.Cases<Instant> {

    private final Listeners listeners;
    private final ActivityRecorder activity;
    private final BiConsumer<Event, Instant> sample;

    Announcer(Listeners listeners, ActivityRecorder activity, BiConsumer<Event, Instant> sample) {
        this.listeners = listeners;
        this.activity = activity;
        this.sample = sample;
    }

    /** The store refused the settlement of {@code event}: the lease had run out. */
    void stale(Event event, Instant now) {
        PipelineListener.Stale stale = new PipelineListener.Stale(event, now);
        listeners.tell(listener -> listener.onStale(stale));
    }

    /** The store has applied the settlement. */
    void settled(Settlement settlement, Instant now) {
        settlement.match(now, this);
    }

    @Override
    public void done(Settlement.Done settled, Instant now) {
        Claim claim = settled.claim();
        Duration passed = Duration.between(claim.event().due(), now);
        Duration latency = passed.isNegative() ? Duration.ZERO : passed;
        if (claim.redrives() == 0) {
            activity.done(claim.event().name(), latency, now);
        } else {
            // The time as a dead letter is no latency.
            activity.done(claim.event().name(), now);
        }
        sample.accept(claim.event(), now);
        PipelineListener.Done done =
                new PipelineListener.Done(claim.event(), claim.attempts().current(), latency, now);
        listeners.tell(listener -> listener.onDone(done));
    }

    @Override
    public void retry(Settlement.Retry settled, Instant now) {
        activity.retried(settled.claim().event().name(), now);
        PipelineListener.Retrying retrying = new PipelineListener.Retrying(
                settled.claim().event(),
                settled.claim().attempts().current(),
                settled.delay(),
                settled.attempt().errorType(),
                settled.attempt().summary(),
                now);
        listeners.tell(listener -> listener.onRetry(retrying));
    }

    @Override
    public void dead(Settlement.Dead settled, Instant now) {
        activity.dead(settled.claim().event().name(), now);
        PipelineListener.Dead dead = new PipelineListener.Dead(
                settled.claim().event(),
                settled.reason(),
                settled.claim().attempts().current(),
                settled.attempt().errorType(),
                settled.attempt().summary(),
                settled.fingerprint(),
                now);
        listeners.tell(listener -> listener.onDead(dead));
    }

    /** Tells nobody: the event waits in the store as before. */
    @Override
    public void release(Settlement.Release settled, Instant now) {}

    /** Tells nobody: the event waits in the store. */
    @Override
    public void snooze(Settlement.Snooze settled, Instant now) {}

    void paused(PipelineListener.Paused paused) {
        listeners.tell(listener -> listener.onPaused(paused));
    }

    void alert(PipelineListener.Alert alert) {
        listeners.tell(listener -> listener.onAlert(alert));
    }
}

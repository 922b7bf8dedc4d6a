package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;

/** Tells listeners how claims ended, and which pauses and alerts began or ended. Keeps no state. Thread-safe. */
final class Announcer implements Settlement.Cases<Instant> {

    private final Listeners listeners;

    Announcer(Listeners listeners) {
        this.listeners = listeners;
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
        Duration latency = Duration.between(claim.event().due(), now);
        PipelineListener.Done done = new PipelineListener.Done(
                claim.event(), claim.attempts().current(), latency.isNegative() ? Duration.ZERO : latency, now);
        listeners.tell(listener -> listener.onDone(done));
    }

    @Override
    public void retry(Settlement.Retry settled, Instant now) {
        PipelineListener.Retrying retrying = new PipelineListener.Retrying(
                settled.claim().event(),
                settled.claim().attempts().current(),
                settled.delay(),
                settled.attempt().errorType(),
                settled.attempt().message(),
                now);
        listeners.tell(listener -> listener.onRetry(retrying));
    }

    @Override
    public void dead(Settlement.Dead settled, Instant now) {
        PipelineListener.Dead dead = new PipelineListener.Dead(
                settled.claim().event(),
                settled.reason(),
                settled.claim().attempts().current(),
                settled.attempt().errorType(),
                settled.attempt().message(),
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

package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;

/** Tells pauses, retry budgets and listeners how an event was settled. Used by the coordinator alone. */
final class Announcer implements Settlement.Cases<Instant> {

    private final Listeners listeners;
    private final NamePauses pauses;
    private final RetryBudgets budgets;

    Announcer(Listeners listeners, NamePauses pauses, RetryBudgets budgets) {
        this.listeners = listeners;
        this.pauses = pauses;
        this.budgets = budgets;
    }

    /** The settlement came too late and changed nothing. */
    void stale(Claim claim, Instant now) {
        pauses.undecided(claim);
        PipelineListener.Stale event = new PipelineListener.Stale(claim.event(), now);
        listeners.tell(listener -> listener.onStale(event));
    }

    /** Tells of a settlement that the store has applied. */
    void settled(Settlement settlement, Instant now) {
        settlement.match(now, this);
    }

    @Override
    public void done(Settlement.Done settled, Instant now) {
        Claim claim = settled.claim();
        budgets.attempted(claim, now);
        pauses.done(claim, now);
        Duration latency = Duration.between(claim.event().due(), now);
        PipelineListener.Done done = new PipelineListener.Done(
                claim.event(), claim.attempts().current(), latency.isNegative() ? Duration.ZERO : latency, now);
        listeners.tell(listener -> listener.onDone(done));
    }

    @Override
    public void retry(Settlement.Retry settled, Instant now) {
        Claim claim = settled.claim();
        budgets.attempted(claim, now);
        pauses.retried(claim, now);
        budgets.failed(claim, settled.attempt().errorType());
        PipelineListener.Retrying retrying = new PipelineListener.Retrying(
                claim.event(),
                claim.attempts().current(),
                settled.delay(),
                settled.attempt().errorType(),
                settled.attempt().message(),
                now);
        listeners.tell(listener -> listener.onRetry(retrying));
    }

    @Override
    public void dead(Settlement.Dead settled, Instant now) {
        Claim claim = settled.claim();
        budgets.attempted(claim, now);
        if (!Processor.cameTooLate(settled)) {
            pauses.dead(claim, now);
        }
        PipelineListener.Dead dead = new PipelineListener.Dead(
                claim.event(),
                settled.reason(),
                claim.attempts().current(),
                settled.attempt().errorType(),
                settled.attempt().message(),
                settled.fingerprint(),
                now);
        listeners.tell(listener -> listener.onDead(dead));
    }

    @Override
    public void release(Settlement.Release settled, Instant now) {
        undecided(settled);
    }

    @Override
    public void snooze(Settlement.Snooze settled, Instant now) {
        undecided(settled);
    }

    /** Frees the place of the probe: if this event was the probe of a paused name, another one may go. */
    private void undecided(Settlement settled) {
        pauses.undecided(settled.claim());
    }
}

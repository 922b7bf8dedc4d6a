package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;

/** Tells pauses, retry budgets and listeners how an event was settled. Used by the coordinator alone. */
final class Announcer {

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

    /** The settlement is in the store. */
    void settled(Settlement settlement, Instant now) {
        Claim claim = settlement.claim();
        if (settlement instanceof Settlement.Done
                || settlement instanceof Settlement.Retry
                || settlement instanceof Settlement.Dead) {
            budgets.attempted(claim, now);
        }
        if (settlement instanceof Settlement.Done) {
            pauses.done(claim, now);
            Duration latency = Duration.between(claim.event().due(), now);
            PipelineListener.Done done = new PipelineListener.Done(
                    claim.event(), claim.attempts().current(), latency.isNegative() ? Duration.ZERO : latency, now);
            listeners.tell(listener -> listener.onDone(done));
        } else if (settlement instanceof Settlement.Retry retry) {
            pauses.retried(claim, now);
            budgets.failed(claim, retry.attempt().errorType());
            PipelineListener.Retrying retrying = new PipelineListener.Retrying(
                    claim.event(),
                    claim.attempts().current(),
                    retry.delay(),
                    retry.attempt().errorType(),
                    retry.attempt().message(),
                    now);
            listeners.tell(listener -> listener.onRetry(retrying));
        } else if (settlement instanceof Settlement.Dead dead) {
            if (!Processor.cameTooLate(dead)) {
                pauses.dead(claim, now);
            }
            PipelineListener.Dead died = new PipelineListener.Dead(
                    claim.event(),
                    dead.reason(),
                    claim.attempts().current(),
                    dead.attempt().errorType(),
                    dead.attempt().message(),
                    dead.fingerprint(),
                    now);
            listeners.tell(listener -> listener.onDead(died));
        } else {
            // Snoozed or released: if it was the probe of a paused name, another one may go.
            pauses.undecided(claim);
        }
    }
}

package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Owns the pauses of event names and the retry budgets: says whether a claimed event may be handled now, and is told once how
 * each claim ended. Used by the coordinator alone.
 */
final class Admission {

    /** How long a retry waits before it asks the retry budget again. */
    static final Duration BUDGET_WAIT = Duration.ofSeconds(1);

    private static final Verdict.PutOff NO_TOKEN = new Verdict.PutOff(BUDGET_WAIT, Settlement.Snooze.Cause.NO_TOKEN);

    private final NamePauses pauses;
    private final RetryBudgets budgets;

    Admission(NamePauses pauses, RetryBudgets budgets) {
        this.pauses = pauses;
        this.budgets = budgets;
    }

    /** Returns how long this event has to wait and why; empty when the event may be handled now. */
    Optional<Verdict.PutOff> waitFor(Claim claim, Instant now) {
        Optional<Duration> paused = pauses.waitFor(claim, now);
        if (paused.isPresent()) {
            return Optional.of(new Verdict.PutOff(paused.get(), Settlement.Snooze.Cause.PAUSED));
        }
        return budgets.admits(claim, now) ? Optional.empty() : Optional.of(NO_TOKEN);
    }

    /** The store has taken the settlement of this claim. */
    void settled(ClaimEnd end, Instant now) {
        Settlement settlement = end.settlement();
        Claim claim = settlement.claim();
        if (settlement instanceof Settlement.Done) {
            budgets.attempted(claim, now);
            pauses.done(claim, now);
        } else if (settlement instanceof Settlement.Retry retry) {
            budgets.attempted(claim, now);
            budgets.failed(claim, retry.attempt().errorType());
            pauses.retried(claim, now);
        } else if (settlement instanceof Settlement.Dead) {
            budgets.attempted(claim, now);
            if (end instanceof ClaimEnd.Expired) {
                // If the event was the probe of a paused name, another event has to probe.
                pauses.undecided(claim);
            } else {
                pauses.dead(claim, now);
            }
        } else {
            pauses.undecided(claim);
        }
    }

    /** The store refused the settlement of this claim: its lease had run out. */
    void stale(Claim claim) {
        pauses.undecided(claim);
    }

    /** Returns the pauses as a topic that nodes share. */
    Sharing.Topic pauses() {
        return pauses;
    }

    /** Returns the budgets as a topic that nodes share. */
    Sharing.Topic budgets() {
        return budgets;
    }
}

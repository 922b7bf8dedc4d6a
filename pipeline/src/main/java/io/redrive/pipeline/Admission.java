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
final class Admission implements Settlement.Cases<Instant> {

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

    /** The store has applied the settlement of this claim. */
    void settled(ClaimEnd end, Instant now) {
        Settlement settlement = end.settlement();
        if (end instanceof ClaimEnd.Expired) {
            budgets.attempted(settlement.claim(), now);
            // If the event was the probe of a paused name, another event has to probe.
            pauses.undecided(settlement.claim());
        } else {
            settlement.match(now, this);
        }
    }

    @Override
    public void done(Settlement.Done done, Instant now) {
        budgets.attempted(done.claim(), now);
        pauses.done(done.claim(), now);
    }

    @Override
    public void retry(Settlement.Retry retry, Instant now) {
        budgets.attempted(retry.claim(), now);
        budgets.failed(retry.claim(), retry.attempt().errorType());
        pauses.retried(retry.claim(), now);
    }

    @Override
    public void dead(Settlement.Dead dead, Instant now) {
        budgets.attempted(dead.claim(), now);
        pauses.dead(dead.claim(), now);
    }

    @Override
    public void release(Settlement.Release release, Instant now) {
        pauses.undecided(release.claim());
    }

    @Override
    public void snooze(Settlement.Snooze snooze, Instant now) {
        pauses.undecided(snooze.claim());
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

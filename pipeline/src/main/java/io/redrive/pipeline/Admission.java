package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.NamePattern;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Owns the pauses of event names and the retry budgets: says which names to keep out of the claim and whether a claimed event may
 * be handled now, and is told once how each claim ended. Used by the coordinator alone.
 */
final class Admission implements Settlement.Cases<Instant> {

    private final HandPausedNames handPauses = new HandPausedNames();
    private final NamePauses pauses;
    private final RetryBudgets budgets;
    private boolean informed;

    Admission(NamePauses pauses, RetryBudgets budgets) {
        this.pauses = pauses;
        this.budgets = budgets;
    }

    /** Reads the pauses before the first claim: a node that starts must not handle events of a paused name. */
    void inform(SharedNotes notes, Instant now) {
        if (!informed) {
            new Sharing(notes, List.of(handPauses, pauses)).work(now);
            informed = true;
        }
    }

    /** Returns the names that operators paused. */
    Set<NamePattern> pausedByHand(Instant now) {
        return handPauses.patterns(now);
    }

    boolean isPausedByHand(Claim claim, Instant now) {
        return handPauses.waitFor(claim.event().name(), now).isPresent();
    }

    /** Returns the names to keep out of the claim. */
    Set<NamePattern> excluded(Instant now) {
        Set<NamePattern> byHand = handPauses.patterns(now);
        Set<NamePattern> byPipeline = pauses.excluded(now);
        if (byHand.isEmpty() || byPipeline.isEmpty()) {
            return byHand.isEmpty() ? byPipeline : byHand;
        }
        Set<NamePattern> all = new HashSet<>(byHand);
        all.addAll(byPipeline);
        return all;
    }

    /** Returns how long this event has to wait and why; empty when the event may be handled now. */
    Optional<Verdict.PutOff> waitFor(Claim claim, Instant now) {
        Optional<Duration> byHand = handPauses.waitFor(claim.event().name(), now);
        Optional<Duration> paused = byHand.isPresent() ? byHand : pauses.waitFor(claim, now);
        if (paused.isPresent()) {
            return Optional.of(new Verdict.PutOff(paused.get(), Settlement.Snooze.Cause.PAUSED));
        }
        return budgets.admits(claim, now)
                ? Optional.empty()
                : Optional.of(new Verdict.PutOff(budgets.waitFor(claim, now), Settlement.Snooze.Cause.NO_TOKEN));
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

    /** Returns the topics that nodes share: pauses and budgets. */
    List<Sharing.Topic> topics() {
        return List.of(handPauses, pauses, budgets);
    }
}

package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A record of a log whose event goes to the store. The settlement says how: a retry, a release or a snooze makes the event
 * wait, a death makes it a dead letter, and {@code done} only settles the place. The claim of the settlement has the event
 * and its earlier attempts; position and token of the claim are of the log and mean nothing to the store.
 *
 * @param place the place of the record
 * @param settlement the end of the claim
 * @param history the earlier failed attempts, oldest first, without the attempt of the settlement
 */
public record Adoption(long place, Settlement settlement, List<AttemptRecord> history) {

    /** Copies the history and checks the place. */
    public Adoption {
        history = List.copyOf(history);
        if (place < 0) {
            throw new IllegalArgumentException("place must not be negative, got " + place);
        }
    }

    /**
     * Returns {@code adoptions} as a list.
     *
     * @throws IllegalArgumentException for more adoptions than {@link Adoptions#MAX_ADOPTIONS}
     */
    public static List<Adoption> requireFew(Collection<Adoption> adoptions) {
        if (adoptions.size() > Adoptions.MAX_ADOPTIONS) {
            throw new IllegalArgumentException(
                    "adopt takes at most " + Adoptions.MAX_ADOPTIONS + " events at once, got " + adoptions.size());
        }
        return List.copyOf(adoptions);
    }

    /** Returns true when the event needs no row: only its place is settled. */
    public boolean isDone() {
        return settlement instanceof Settlement.Done;
    }

    /** Returns the settlement when the event becomes a dead letter, ending a claim with this position and token instead. */
    public Optional<Settlement.Dead> death(long position, long token) {
        if (!(settlement instanceof Settlement.Dead dead)) {
            return Optional.empty();
        }
        Claim claim = dead.claim();
        Claim stored = new Claim(
                claim.event(),
                position,
                token,
                claim.attempts(),
                claim.firstClaimed(),
                claim.lastDelay(),
                claim.redrives());
        return Optional.of(new Settlement.Dead(
                stored,
                dead.reason(),
                dead.attempt(),
                dead.fingerprint(),
                dead.service(),
                dead.version(),
                dead.redacted()));
    }

    /** Returns the attempts that the store counts before a death, or after any other settlement. */
    public Attempts attempts() {
        Attempts before = settlement.claim().attempts();
        if (settlement instanceof Settlement.Retry) {
            return before.plusFailed();
        }
        return settlement instanceof Settlement.Release ? before.plusInterrupted() : before;
    }

    /** Returns when the waiting event is due. */
    public Instant due(Instant now) {
        return settlement.readyAgain().orElse(now);
    }

    /** Returns when the due time of the waiting event was decided: at the failure of a retry, else {@code now}. */
    public Instant putOff(Instant now) {
        return settlement instanceof Settlement.Retry retry ? retry.due().minus(retry.delay()) : now;
    }

    /** Returns the wait before the next attempt, which the policy's next decision may depend on. */
    public Duration lastDelay() {
        return settlement instanceof Settlement.Retry retry
                ? retry.delay()
                : settlement.claim().lastDelay();
    }

    /** Returns why the waiting event was put off. */
    public Settlement.Snooze.Cause waitsBecause() {
        return settlement instanceof Settlement.Snooze snooze ? snooze.cause() : Settlement.Snooze.Cause.ASKED;
    }

    /** Returns the failed attempts of a waiting event, and of a dead event the attempts before the last. */
    public List<AttemptRecord> failures() {
        if (!(settlement instanceof Settlement.Retry retry)) {
            return history;
        }
        List<AttemptRecord> all = new ArrayList<>(history);
        all.add(retry.attempt());
        return all;
    }
}

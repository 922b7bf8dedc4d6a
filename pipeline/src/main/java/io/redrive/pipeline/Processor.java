package io.redrive.pipeline;

import io.redrive.core.Reason;
import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Decides on a claimed event before any handler sees it: whether the event may be handled, whether now, and by which handler.
 * Runs no user code: validators run on workers.
 */
final class Processor {

    private static final Verdict.Expired EXPIRED = new Verdict.Expired();
    private static final Verdict.PutOff NO_HANDLER =
            new Verdict.PutOff(Duration.ofSeconds(1), Settlement.Snooze.Cause.NO_TOKEN);

    private final Handlers handlers;
    private final ClaimFilter handled;
    /** {@link #handled} without the names that were paused at the last look. */
    private ClaimFilter accepted;

    private Set<NamePattern> lastPaused = Set.of();

    private final Admission admission;
    private final int poisonAfter;

    Processor(Handlers handlers, Admission admission, int poisonAfter) {
        this.handlers = handlers;
        handled = ClaimFilter.of(handlers.patterns());
        accepted = handled;
        this.admission = admission;
        this.poisonAfter = poisonAfter;
    }

    Verdict process(Claim claim, Instant now) {
        if (claim.unreadable().isPresent()) {
            return new Verdict.Reject(Reason.INVALID_EVENT, claim.unreadable().get());
        }
        if (claim.attempts().crashed() >= poisonAfter) {
            return new Verdict.Reject(
                    Reason.POISON,
                    "its process died " + claim.attempts().crashed() + " times while handling it; look at what"
                            + " the handler does with it before redriving");
        }
        if (isTooLate(claim, now)) {
            return EXPIRED;
        }
        Optional<Handlers.Registration> handler = handlers.find(claim.event());
        if (handler.isEmpty()) {
            // Only names with a handler are claimed. A store that hands out an event of another name gets the event
            // back for a while. The cause serves statistics only, and a mistake of a store has no cause there.
            return NO_HANDLER;
        }
        Optional<Verdict.PutOff> wait = admission.waitFor(claim, now);
        return wait.isPresent() ? wait.get() : new Verdict.Handle(handler.get());
    }

    /** Returns the names to claim: names with a handler that are not paused. */
    ClaimFilter accepted(Instant now) {
        Set<NamePattern> paused = admission.excluded(now);
        // Thousands of names may be paused: the sets are compared only after a change.
        if (paused != lastPaused && !paused.equals(accepted.excluded())) {
            accepted = handled.without(paused);
        }
        lastPaused = paused;
        return accepted;
    }

    /** Returns true when the deadline has passed; asked when an event was claimed, and again when its handler begins. */
    static boolean isTooLate(Claim claim, Instant now) {
        return claim.deadline().filter(deadline -> !now.isBefore(deadline)).isPresent();
    }
}

package io.redrive.pipeline;

import io.redrive.core.Reason;
import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Looks at a claimed event before any handler does: may it be handled, now, and by which handler? Runs no code of the user's:
 * validators run on workers.
 */
final class Processor {

    /** How long a retry waits before it asks the retry budget again. */
    static final Duration BUDGET_WAIT = Duration.ofSeconds(1);

    /** What is to be done with a claim. */
    sealed interface Verdict {
        record Handle(Handlers.Registration by) implements Verdict {}

        record Reject(Reason reason, String errorType, String message) implements Verdict {}

        record PutOff(Duration delay, Settlement.Snooze.Cause cause) implements Verdict {}
    }

    /** For an event whose deadline has passed before a handler began. */
    static final Verdict.Reject TOO_LATE = reject(Reason.TTL_EXCEEDED, "its deadline passed before it was handled");

    private final Handlers handlers;
    private final NamePauses pauses;
    private final RetryBudgets budgets;
    private final int poisonAfter;

    Processor(Handlers handlers, NamePauses pauses, RetryBudgets budgets, int poisonAfter) {
        this.handlers = handlers;
        this.pauses = pauses;
        this.budgets = budgets;
        this.poisonAfter = poisonAfter;
    }

    Verdict process(Claim claim, Instant now) {
        if (claim.unreadable().isPresent()) {
            return reject(Reason.INVALID_EVENT, claim.unreadable().get());
        }
        if (claim.attempts().crashed() >= poisonAfter) {
            return reject(
                    Reason.POISON,
                    "its process died " + claim.attempts().crashed() + " times while handling it; look at what"
                            + " the handler does with it before redriving");
        }
        if (isTooLate(claim, now)) {
            return TOO_LATE;
        }
        Optional<Duration> paused = pauses.waitFor(claim, now);
        if (paused.isPresent()) {
            return new Verdict.PutOff(paused.get(), Settlement.Snooze.Cause.PAUSED);
        }
        Optional<Handlers.Registration> handler = handlers.find(claim.event());
        // Only names with a handler are claimed; a store that hands out others gets them back.
        return handler.isPresent() && budgets.admits(claim, now)
                ? new Verdict.Handle(handler.get())
                : new Verdict.PutOff(BUDGET_WAIT, Settlement.Snooze.Cause.NO_TOKEN);
    }

    /** The names to claim: those that have a handler. */
    ClaimFilter accepted() {
        return ClaimFilter.of(handlers.patterns());
    }

    /** True when the deadline has passed; asked when an event was claimed, and again when its handler begins. */
    static boolean isTooLate(Claim claim, Instant now) {
        return claim.deadline().filter(deadline -> !now.isBefore(deadline)).isPresent();
    }

    /** True for what died because no handler came to it in time, which says nothing of how its handler is. */
    static boolean cameTooLate(Settlement.Dead dead) {
        return dead.reason() == Reason.TTL_EXCEEDED
                && dead.attempt().errorType().equals(Reason.TTL_EXCEEDED.code());
    }

    private static Verdict.Reject reject(Reason reason, String message) {
        return new Verdict.Reject(reason, reason.code(), message);
    }
}

package io.redrive.pipeline;

import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.Fingerprint;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;

/** Checks that a settlement follows from the handler's outcome and the policy. */
final class Verdicts {

    private final Settlement settlement;
    private final SimulatedNode.Flight flight;
    private final SimulatedNode node;
    private final Simulation simulation;
    private final Claim claim;
    private final RetryPolicy policy;

    private Verdicts(Settlement settlement, SimulatedNode.Flight flight, SimulatedNode node, Simulation simulation) {
        this.settlement = settlement;
        this.flight = flight;
        this.node = node;
        this.simulation = simulation;
        claim = settlement.claim();
        policy = simulation.policies.policyFor(claim.event().name());
    }

    static void check(Settlement settlement, SimulatedNode.Flight flight, SimulatedNode node, Simulation simulation) {
        Verdicts verdicts = new Verdicts(settlement, flight, node, simulation);
        if (flight.outcome == null) {
            verdicts.withoutHandling();
        } else {
            verdicts.afterHandling(flight.endedAt);
        }
    }

    /** Returns why this claim must not reach a handler; null when it may. */
    static Reason refusal(SimulatedNode.Flight flight, Simulation simulation) {
        Claim claim = flight.claim;
        if (claim.attempts().crashed() >= simulation.profile.poisonAfter()) {
            return Reason.POISON;
        }
        if (claim.deadline()
                .filter(deadline -> !flight.seenAt().isBefore(deadline))
                .isPresent()) {
            return Reason.TTL_EXCEEDED;
        }
        return Simulation.isValid(claim.event()) ? null : Reason.INVALID_EVENT;
    }

    private void withoutHandling() {
        Reason refusal = refusal(flight, simulation);
        if (settlement instanceof Settlement.Release) {
            demand(
                    node.stopped || node.mayHaveLostItsHold(),
                    "only a stop or a lost hold gives back what no handler has finished");
        } else if (settlement instanceof Settlement.Dead dead) {
            boolean tooLate = dead.reason() == Reason.TTL_EXCEEDED
                    && isLate(dead.attempt().at());
            // The second half of a split batch may be past its deadline.
            demand((dead.reason() == refusal && flight.calls == 0) || tooLate, "what no handler saw dies for a reason");
            line(dead.attempt(), "dead");
            fingerprint(dead);
        } else {
            boolean paused = node.isPausing(claim.event().name()) || simulation.hasPaused();
            boolean overBudget = simulation.hasBudget && claim.attempts().failed() > 0;
            demand(
                    settlement instanceof Settlement.Snooze && flight.calls == 0 && (paused || overBudget),
                    "unhandled, an event is put off only by a pause or a budget");
        }
    }

    private void afterHandling(Instant now) {
        Outcome outcome = flight.outcome;
        if (outcome instanceof Outcome.Done) {
            demand(settlement instanceof Settlement.Done, "done is done");
        } else if (outcome instanceof Outcome.Snooze snooze) {
            demand(
                    settlement instanceof Settlement.Snooze put && put.due().equals(now.plus(snooze.delay())),
                    "a snooze is for as long as the handler said");
        } else if (outcome instanceof Outcome.Dead) {
            dead(Reason.NOT_RETRYABLE, "not_retryable");
        } else if (outcome instanceof Outcome.Retry retry) {
            failed(Failure.kind("retry_requested"), retry.delay().orElse(null), now);
        } else {
            failed(((Outcome.Failed) outcome).failure(), null, now);
        }
    }

    private void failed(Failure failure, Duration asked, Instant now) {
        Throwable error = failure instanceof Failure.Thrown thrown ? thrown.error() : null;
        String type = flight.timedOut ? "timeout" : failure.type();
        if (error instanceof Error && !flight.timedOut) {
            dead(Reason.HANDLER_CRASHED, type);
        } else if (error instanceof IllegalArgumentException && !flight.timedOut) {
            dead(Reason.NOT_RETRYABLE, type);
        } else if (claim.attempts().failed() + 1 >= policy.maxAttempts()) {
            dead(flight.timedOut ? Reason.TIMEOUT : Reason.MAX_ATTEMPTS_EXCEEDED, type);
        } else {
            retriedOrTooLate(type, asked, now);
        }
    }

    private void retriedOrTooLate(String type, Duration asked, Instant now) {
        Duration base = policy.backoff().delay(claim.attempts().failed() + 1);
        Duration least = asked == null ? least(base) : asked;
        Duration most = asked == null ? most(base) : asked;
        Duration elapsed = Duration.between(claim.firstClaimed(), now);
        Duration left = policy.maxDuration()
                .map(limit -> elapsed.isNegative() ? limit : limit.minus(elapsed))
                .orElse(null);
        boolean mustEnd = left != null && least.compareTo(left) > 0 || isLate(now.plus(least));
        boolean mayEnd = left != null && most.compareTo(left) > 0 || isLate(now.plus(most));
        if (settlement instanceof Settlement.Retry retry) {
            demand(!mustEnd, "no retry comes after the time to live or the deadline");
            demand(retry.due().equals(now.plus(retry.delay())), "a retry is due after its delay");
            demand(
                    retry.delay().compareTo(least) >= 0 && retry.delay().compareTo(most) <= 0,
                    "the wait is the backoff with its jitter, or what the handler asked for");
            demand(retry.attempt().errorType().equals(type), "a line names the failure");
            line(retry.attempt(), "retry");
        } else {
            demand(mayEnd, "an event with attempts and time left is retried");
            dead(Reason.TTL_EXCEEDED, type);
        }
    }

    private boolean isLate(Instant due) {
        return claim.deadline().filter(deadline -> !due.isBefore(deadline)).isPresent();
    }

    private Duration least(Duration base) {
        return policy.jitter() instanceof Jitter.None ? base : Duration.ZERO;
    }

    /** The simulation uses full jitter or none. */
    private static Duration most(Duration base) {
        return base;
    }

    private void dead(Reason reason, String type) {
        demand(settlement instanceof Settlement.Dead, "a failure for good is a dead letter");
        Settlement.Dead dead = (Settlement.Dead) settlement;
        demand(dead.reason() == reason, "it dies because of " + reason);
        demand(dead.attempt().errorType().equals(type), "a line names the failure " + type);
        line(dead.attempt(), "dead");
        fingerprint(dead);
    }

    private void fingerprint(Settlement.Dead dead) {
        AttemptRecord last = dead.attempt();
        demand(
                dead.fingerprint().equals(Fingerprint.of(last.errorType(), last.message())),
                "a letter is grouped by its cause");
    }

    private void line(AttemptRecord line, String decision) {
        demand(line.number() == claim.attempts().failed() + 1, "a line counts the attempt");
        demand(line.node().equals(node.name), "a line says where");
        demand(line.decision().equals(decision), "a line says what was decided");
    }

    private void demand(boolean holds, String rule) {
        StoreModel.check(holds, rule, settlement, flight.outcome, flight.calls, flight.timedOut);
    }
}

package io.redrive.pipeline;

import io.redrive.core.Attempt;
import io.redrive.core.Backoff;
import io.redrive.core.Decision;
import io.redrive.core.DurationText;
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
import java.util.random.RandomGenerator;

/**
 * Turns what handlers say into settlements. The only caller of {@link RetryPolicy#decideSafely} for events. Policies, predicates and
 * hints are code of the user's, so workers ask here, on their own threads. Thread-safe.
 */
final class Settler {

    private final String node;
    private final String service;
    private final RandomGenerator random;
    private volatile EventPolicies policies;

    Settler(String node, String service, RandomGenerator random, EventPolicies policies) {
        this.node = node;
        this.service = service;
        this.random = random;
        this.policies = policies;
    }

    void use(EventPolicies newPolicies) {
        policies = newPolicies;
    }

    EventPolicies policies() {
        return policies;
    }

    /** What follows for an event that a handler is through with. */
    Settlement settlementOf(Handled handled, Instant now) {
        Claim claim = handled.claim();
        Outcome outcome = handled.outcome();
        if (outcome instanceof Outcome.Done) {
            return new Settlement.Done(claim);
        }
        if (outcome instanceof Outcome.Snooze snooze) {
            return new Settlement.Snooze(claim, now.plus(snooze.delay()));
        }
        if (outcome instanceof Outcome.Interrupted) {
            return new Settlement.Release(claim);
        }
        if (outcome instanceof Outcome.Dead dead) {
            return dead(handled, Reason.NOT_RETRYABLE, Reason.NOT_RETRYABLE.code(), dead.why());
        }
        if (outcome instanceof Outcome.Invalid invalid) {
            return dead(
                    handled,
                    Reason.INVALID_EVENT,
                    invalid.failure().type(),
                    invalid.failure().message());
        }
        if (outcome instanceof Outcome.Retry retry) {
            return retried(handled, Failure.kind("retry_requested"), retry, now);
        }
        return decided(handled, ((Outcome.Failed) outcome).failure(), now);
    }

    /** The settlement of an event that no handler has seen. */
    Settlement rejected(Claim claim, Processor.Verdict.Reject reject, Instant now) {
        Handled unseen = new Handled(claim, new Outcome.Dead(reject.message()), now, Duration.ZERO);
        return dead(unseen, reject.reason(), reject.errorType(), reject.message());
    }

    private Settlement decided(Handled handled, Failure failure, Instant now) {
        Decision decision = decide(handled.claim(), failure, now);
        return decision instanceof Decision.RetryAfter wait
                ? retryOrTooLate(handled, failure.type(), failure.message(), wait.delay(), now)
                : dead(
                        handled,
                        reasonOf(((Decision.GiveUp) decision).reason(), failure),
                        failure.type(),
                        failure.message());
    }

    /** A handler that asks for a retry, after a delay of its own perhaps, gets no more attempts and time than the policy allows. */
    private Settlement retried(Handled handled, Failure failure, Outcome.Retry asked, Instant now) {
        RetryPolicy.Builder policy =
                policies.policyFor(handled.claim().event().name()).toBuilder().retryAll();
        asked.delay().ifPresent(delay -> policy.backoff(Backoff.fixed(delay)).jitter(Jitter.none()));
        Decision decision = policy.build().decideSafely(attemptOf(handled.claim(), failure, now));
        return decision instanceof Decision.GiveUp giveUp
                ? dead(handled, giveUp.reason(), failure.type(), asked.why())
                : retryOrTooLate(handled, failure.type(), asked.why(), ((Decision.RetryAfter) decision).delay(), now);
    }

    private Decision decide(Claim claim, Failure failure, Instant now) {
        return policies.policyFor(claim.event().name()).decideSafely(attemptOf(claim, failure, now));
    }

    private Attempt attemptOf(Claim claim, Failure failure, Instant now) {
        Duration elapsed = Duration.between(claim.firstClaimed(), now);
        return new Attempt(
                claim.attempts().current(),
                failure,
                elapsed.isNegative() ? Duration.ZERO : elapsed,
                claim.lastDelay(),
                random);
    }

    private Settlement retryOrTooLate(Handled handled, String type, String message, Duration delay, Instant now) {
        Instant due = now.plus(delay);
        if (handled.claim()
                .deadline()
                .filter(deadline -> !due.isBefore(deadline))
                .isPresent()) {
            return dead(handled, Reason.TTL_EXCEEDED, type, message);
        }
        AttemptRecord line = line(handled, type, message, "retry", "after " + DurationText.format(delay));
        return new Settlement.Retry(handled.claim(), due, delay, line);
    }

    private Settlement dead(Handled handled, Reason reason, String type, String message) {
        AttemptRecord line = line(handled, type, message, "dead", reason.code());
        return new Settlement.Dead(handled.claim(), reason, line, Fingerprint.of(type, message), service);
    }

    private AttemptRecord line(Handled handled, String type, String message, String decision, String why) {
        return new AttemptRecord(
                handled.claim().attempts().current(),
                handled.began(),
                node,
                handled.took(),
                type,
                message,
                decision,
                why);
    }

    /** An error that nobody retries did not come from the event, it broke the handler. */
    static Reason reasonOf(Reason reason, Failure failure) {
        boolean crashed = failure instanceof Failure.Thrown thrown && thrown.error() instanceof Error;
        return crashed && reason == Reason.NOT_RETRYABLE ? Reason.HANDLER_CRASHED : reason;
    }
}

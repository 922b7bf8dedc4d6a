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
import io.redrive.events.Event;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides what a handler's outcome means for its claim. The only caller of {@link RetryPolicy#decideSafely} for events.
 * Policies, predicates and hints are user code, so workers call this class on their own threads. Thread-safe.
 */
final class Settler {

    private static final Verdict.Reject EXPIRED =
            new Verdict.Reject(Reason.TTL_EXCEEDED, "its deadline passed before it was handled");

    private final NodeIdentity identity;
    private final RandomGenerator random;
    private final LetterRules rules;
    private volatile EventPolicies policies;

    Settler(NodeIdentity identity, RandomGenerator random, EventPolicies policies, LetterRules rules) {
        this.identity = identity;
        this.random = random;
        this.rules = rules;
        this.policies = policies;
    }

    void use(EventPolicies newPolicies) {
        policies = newPolicies;
    }

    EventPolicies policies() {
        return policies;
    }

    /** Returns the settlement of a claim after a call of its handler or validators. */
    Settlement settlementOf(Claim claim, CallResult result, Instant now) {
        Outcome outcome = result.outcome();
        if (outcome instanceof Outcome.Done) {
            return new Settlement.Done(claim, identity.node(), result.took());
        }
        if (outcome instanceof Outcome.Snooze snooze) {
            return new Settlement.Snooze(claim, now.plus(snooze.delay()));
        }
        if (outcome instanceof Outcome.Interrupted) {
            return new Settlement.Release(claim);
        }
        ClaimAttempt made = new ClaimAttempt(claim, result.began(), result.took());
        if (outcome instanceof Outcome.Dead dead) {
            return dead(made, Reason.NOT_RETRYABLE, new Cause(Reason.NOT_RETRYABLE.code(), dead.why()));
        }
        if (outcome instanceof Outcome.Invalid invalid) {
            return dead(made, Reason.INVALID_EVENT, Cause.of(invalid.failure()));
        }
        if (outcome instanceof Outcome.Retry retry) {
            return retried(made, Failure.kind("retry_requested"), retry, now);
        }
        return decided(made, ((Outcome.Failed) outcome).failure(), now);
    }

    /** Returns the settlement of an event that the pipeline rejects before a handler begins. */
    Settlement.Dead rejected(Claim claim, Verdict.Reject reject, Instant now) {
        return dead(
                new ClaimAttempt(claim, now, Duration.ZERO),
                reject.reason(),
                new Cause(reject.reason().code(), reject.message()));
    }

    /** Returns the end of a claim whose deadline passed before a handler began. */
    ClaimEnd.Expired expired(Claim claim, Instant now) {
        return new ClaimEnd.Expired(rejected(claim, EXPIRED, now));
    }

    /** The attempt of a claim, as a line of the event's history describes it. */
    private record ClaimAttempt(Claim claim, Instant began, Duration took) {}

    /**
     * Why an attempt failed.
     *
     * @param type the type of the failure, for history and fingerprint
     * @param message the message of the failure, for history and fingerprint
     * @param answer what the failing side answered, for the history alone: answers to one cause differ
     */
    private record Cause(String type, String message, Optional<String> answer) {
        Cause(String type, String message) {
            this(type, message, Optional.empty());
        }

        static Cause of(Failure failure) {
            Optional<String> answer = failure instanceof Failure.Thrown thrown ? thrown.answer() : Optional.empty();
            return new Cause(failure.type(), failure.message(), answer);
        }

        String history() {
            return answer.map(text -> message + AttemptRecord.ANSWER + text).orElse(message);
        }
    }

    private Settlement decided(ClaimAttempt made, Failure failure, Instant now) {
        Decision decision = decide(made.claim(), failure, now);
        return decision instanceof Decision.RetryAfter wait
                ? retryOrTooLate(made, Cause.of(failure), wait.delay(), now)
                : dead(made, reasonOf(((Decision.GiveUp) decision).reason(), failure), Cause.of(failure));
    }

    /** Gives a handler that asks for a retry, even with a delay, no more attempts and time than the policy allows. */
    private Settlement retried(ClaimAttempt made, Failure failure, Outcome.Retry asked, Instant now) {
        RetryPolicy.Builder policy =
                policies.policyFor(made.claim().event().name()).toBuilder().retryAll();
        asked.delay().ifPresent(delay -> policy.backoff(Backoff.fixed(delay)).jitter(Jitter.none()));
        Decision decision = policy.build().decideSafely(attemptOf(made.claim(), failure, now));
        Cause cause = new Cause(failure.type(), asked.why());
        return decision instanceof Decision.GiveUp giveUp
                ? dead(made, giveUp.reason(), cause)
                : retryOrTooLate(made, cause, ((Decision.RetryAfter) decision).delay(), now);
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

    private Settlement retryOrTooLate(ClaimAttempt made, Cause cause, Duration delay, Instant now) {
        Instant due = now.plus(delay);
        if (made.claim().deadline().filter(deadline -> !due.isBefore(deadline)).isPresent()) {
            return dead(made, Reason.TTL_EXCEEDED, cause);
        }
        AttemptRecord line = line(made, redacted(made, cause), "retry", "after " + DurationText.format(delay));
        return new Settlement.Retry(made.claim(), due, delay, line);
    }

    private Settlement.Dead dead(ClaimAttempt made, Reason reason, Cause cause) {
        Cause told = redacted(made, cause);
        AttemptRecord line = line(made, told, "dead", reason.code());
        Event event = made.claim().event();
        // From the redacted text: a secret must not be found by trying hashes.
        String fingerprint = rules.fingerprint(told.type(), told.message(), event);
        Event kept = rules.stored().event(event);
        return new Settlement.Dead(
                made.claim(),
                reason,
                line,
                fingerprint,
                identity.service(),
                identity.version(),
                kept == event ? Optional.empty() : Optional.of(kept));
    }

    private Cause redacted(ClaimAttempt made, Cause cause) {
        Event event = made.claim().event();
        String message = cause.message() == null ? "" : cause.message();
        return new Cause(
                cause.type(),
                rules.stored().text(message, event),
                cause.answer().map(text -> rules.stored().text(text, event)));
    }

    private AttemptRecord line(ClaimAttempt made, Cause cause, String decision, String why) {
        return new AttemptRecord(
                made.claim().attempts().current(),
                made.began(),
                identity.node(),
                made.took(),
                cause.type(),
                cause.history(),
                decision,
                why);
    }

    /** Tells an error that is not retried, which broke the handler, from an event that the handler cannot handle. */
    static Reason reasonOf(Reason reason, Failure failure) {
        boolean crashed = failure instanceof Failure.Thrown thrown && thrown.error() instanceof Error;
        return crashed && reason == Reason.NOT_RETRYABLE ? Reason.HANDLER_CRASHED : reason;
    }
}

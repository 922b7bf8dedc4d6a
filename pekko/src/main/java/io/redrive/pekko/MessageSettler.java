package io.redrive.pekko;

import io.redrive.core.Attempt;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.CircuitOpenException;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryExhaustedException;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Settles a message after each attempt: asks policy and budget for the decision, reports the decision to the circuit breaker
 * and the {@link RetryNotifier}, and has a given-up message written to the dead-letter sink.
 */
final class MessageSettler<C> {

    private final RetrySettings<C> settings;
    private final DeadLetterWriter<C> deadLetters;
    private RetryPolicy policy;
    private RetryNotifier<C> notifier;

    MessageSettler(RetrySettings<C> settings) {
        this.settings = settings;
        deadLetters = new DeadLetterWriter<>(settings);
        policy = settings.policy();
        notifier = new RetryNotifier<>(settings, policy);
    }

    /** Switches to the current policy of the retry behavior. If reading the policy fails, logs a warning and keeps the
     * previous policy. */
    void renewPolicy(ActorContext<C> actor) {
        try {
            RetryPolicy renewed = settings.policy();
            if (renewed != policy) {
                policy = renewed;
                notifier = new RetryNotifier<>(settings, renewed);
            }
        } catch (RuntimeException e) {
            actor.getLog().warn("cannot read the policy of {}; the previous policy stays in force", settings.name, e);
        }
    }

    RetryPolicy policy() {
        return policy;
    }

    /** Whether each attempt is timed. Not done without need, because reading the clock takes a fair part of a message's time. */
    boolean needsTimes() {
        return policy.maxDuration().isPresent() || !policy.callbacks().isEmpty() || deadLetters.hasSink();
    }

    FailedAttempt<C> failedAttempt(ActorContext<C> actor, PendingMessage<C> pending, Failure failure, long startNanos) {
        return new FailedAttempt<>(actor, policy, settings.time, pending, failure, startNanos);
    }

    Decision decide(FailedAttempt<C> failed) {
        notifier.attemptFailed(failed);
        Decision decision = policy.decideSafely(new Attempt(
                failed.number(),
                failed.failure(),
                failed.elapsed(),
                failed.pending().previousDelay(),
                settings.random.get()));
        RetryBudget budget = settings.budget;
        if (budget == null || decision instanceof Decision.GiveUp || budget.tryRetry(failed.failure())) {
            return decision;
        }
        notifier.budgetRefused(failed, budget);
        return Decision.giveUp(Reason.RETRY_BUDGET_EXHAUSTED);
    }

    void retrying(FailedAttempt<C> failed, Duration delay) {
        deadLetters.recordRetry(failed, delay);
        notifier.retrying(failed, delay);
    }

    void succeededAtOnce(ActorContext<C> actor, long permit, long startNanos) {
        CircuitBreaker breaker = settings.breaker;
        if (breaker != null) {
            breaker.succeeded(permit);
        }
        notifier.succeededAtOnce(actor, startNanos);
    }

    void succeeded(ActorContext<C> actor, PendingMessage<C> pending) {
        CircuitBreaker breaker = settings.breaker;
        if (breaker != null) {
            breaker.succeeded(pending.permit);
        }
        notifier.succeeded(actor, pending);
    }

    /**
     * Gives the message up and returns the exception for the supervisor: {@link RetryExhaustedException} for an
     * exhaustion, else the exception of the attempt.
     */
    Throwable gaveUp(FailedAttempt<C> failed, Reason reason) {
        tellBreaker(failed, reason);
        notifier.gaveUp(failed, reason);
        deadLetters.recordGiveUp(failed, reason);
        Throwable thrown = exceptionOf(failed, reason);
        deadLetters.write(failed, reason).ifPresent(sinkFailure -> {
            if (sinkFailure != thrown) {
                thrown.addSuppressed(sinkFailure);
            }
        });
        return thrown;
    }

    /** With a single attempt there is no retry to exhaust, and the original exception is thrown. */
    private Throwable exceptionOf(FailedAttempt<C> failed, Reason reason) {
        Throwable original = failed.error();
        if (original != null && (!reason.isExhaustion() || policy.maxAttempts() == 1)) {
            return original;
        }
        return new RetryExhaustedException(
                settings.name + " on " + failed.messageType(), reason, failed.number(), original);
    }

    /** Gives up the waiting messages of an actor that stops: cancels pending messages and drops held messages. */
    void actorStopped(ActorContext<C> actor, WaitingMessages<C> waiting) {
        waiting.forEachPending(pending -> {
            pending.cancelTimer();
            pending.abandonRun();
            waiting.remove(pending);
            cancelled(actor, pending);
        });
        while (waiting.hasHeld()) {
            EventStreamNotices.dropped(actor, waiting.takeHeld(), settings.name + " stopped before its turn");
        }
    }

    private void cancelled(ActorContext<C> actor, PendingMessage<C> pending) {
        FailedAttempt<C> failed = failedAttempt(actor, pending, Failure.kind(Reason.CANCELLED.code()), 0);
        tellBreaker(failed, Reason.CANCELLED);
        notifier.gaveUp(failed, Reason.CANCELLED);
        writeOrDrop(failed, Reason.CANCELLED, settings.name + " stopped before its retry");
    }

    void dropBeyondHoldLimit(ActorContext<C> actor, C message) {
        EventStreamNotices.dropped(
                actor,
                message,
                "more than " + settings.holdLimit + " messages wait for the retry of an earlier one in "
                        + settings.name);
    }

    /**
     * Gives up a refused message, or passes the message to the function of {@link RetryBehavior#withCircuitBreaker}. The
     * actor does not fail: no attempt was made.
     */
    Behavior<C> refused(ActorContext<C> actor, C message, CircuitBreaker breaker) {
        PendingMessage<C> unattempted = new PendingMessage<>(message, CircuitBreaker.REFUSED, settings.time.nanos());
        Failure open = Failure.thrown(new CircuitOpenException(breaker.name(), breaker.remainingOpen()));
        FailedAttempt<C> refusal = failedAttempt(actor, unattempted, open, 0);
        notifier.gaveUp(refusal, Reason.CIRCUIT_OPEN);
        var onRefused = settings.onRefused;
        if (onRefused != null) {
            return onRefused.apply(refusal.context(Duration.ZERO, Optional.of(Reason.CIRCUIT_OPEN)));
        }
        writeOrDrop(
                refusal,
                Reason.CIRCUIT_OPEN,
                "circuit breaker '" + breaker.name() + "' of " + settings.name + " is open");
        return Behaviors.same();
    }

    private void writeOrDrop(FailedAttempt<C> failed, Reason reason, String why) {
        deadLetters.write(failed, reason);
        if (!deadLetters.hasSink()) {
            EventStreamNotices.dropped(failed.actor(), failed.message(), why);
        }
    }

    private void tellBreaker(FailedAttempt<C> failed, Reason reason) {
        CircuitBreaker breaker = settings.breaker;
        if (breaker == null) {
            return;
        }
        if (reason == Reason.CANCELLED || reason == Reason.INTERRUPTED) {
            breaker.abandoned(failed.pending().permit);
        } else {
            breaker.failed(failed.pending().permit, failed.error());
        }
    }
}

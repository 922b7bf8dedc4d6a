package io.redrive.pekko;

import io.redrive.core.Attempt;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.CircuitOpenException;
import io.redrive.core.Decision;
import io.redrive.core.DurationText;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryExhaustedException;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.slf4j.Logger;

/** What follows an attempt: asks the policy and the budget, tells who wants to know, has buried what is given up. */
final class MessageSettler<C> {

    private final RetryBehavior<C> retry;
    private final DeadLetterWriter<C> burial;
    private RetryPolicy policy;
    private List<RetryListener> everyone;

    MessageSettler(RetryBehavior<C> retry) {
        this.retry = retry;
        burial = new DeadLetterWriter<>(retry);
        use(retry.policy());
    }

    private void use(RetryPolicy now) {
        policy = now;
        everyone = new ArrayList<>(now.callbacks());
        everyone.addAll(retry.listeners());
    }

    /** Takes up the policy of this moment. */
    void renewPolicy(ActorContext<C> actor) {
        try {
            RetryPolicy now = retry.policy();
            if (now != policy) {
                use(now);
            }
        } catch (RuntimeException gone) {
            actor.getLog().warn("{} has no policy any more and keeps to the one before", retry.name(), gone);
        }
    }

    RetryPolicy policy() {
        return policy;
    }

    /** Whether each attempt has to be timed; without need it is not, as a clock costs a fair part of a message. */
    boolean needsTimes() {
        return policy.maxDuration().isPresent() || !policy.callbacks().isEmpty() || burial.keepsHistory();
    }

    FailedAttempt<C> failure(ActorContext<C> actor, PendingMessage<C> pending, Failure failure, long startNanos) {
        return new FailedAttempt<>(actor, policy, retry.time(), pending, failure, startNanos);
    }

    Decision decide(FailedAttempt<C> failed) {
        tell(
                failed.actor(),
                everyone,
                listener -> listener.onAttempt(new RetryListener.Attempted(
                        retry.name(),
                        failed.number(),
                        failed.maxAttempts(),
                        Optional.of(failed.failure()),
                        failed.elapsed())));
        Decision decision = decideAlone(failed);
        RetryBudget budget = retry.budget();
        if (budget == null || decision instanceof Decision.GiveUp || budget.tryRetry(failed.failure())) {
            return decision;
        }
        tell(
                failed.actor(),
                everyone,
                listener -> listener.onBudgetRefused(
                        new RetryListener.BudgetRefused(retry.name(), budget.name(), failed.number())));
        return Decision.giveUp(Reason.RETRY_BUDGET_EXHAUSTED);
    }

    private Decision decideAlone(FailedAttempt<C> failed) {
        RandomGenerator random = retry.random() == null ? ThreadLocalRandom.current() : retry.random();
        Duration previousDelay = failed.pending().previousDelay();
        return policy.decideSafely(
                new Attempt(failed.number(), failed.failure(), failed.elapsed(), previousDelay, random));
    }

    void retrying(FailedAttempt<C> failed, Duration delay) {
        Logger log = failed.actor().getLog();
        if (log.isWarnEnabled()) {
            log.warn(
                    "{} failed on {} (attempt {}/{}): {}. RetryingActorBehavior in {}",
                    retry.name(),
                    failed.messageType(),
                    failed.number(),
                    failed.maxAttempts(),
                    failed.failure().message(),
                    DurationText.format(delay));
        }
        burial.rememberRetry(failed, delay);
        tell(
                failed.actor(),
                everyone,
                listener -> listener.onRetry(new RetryListener.Retrying(
                        retry.name(),
                        failed.number(),
                        failed.maxAttempts(),
                        delay,
                        failed.failure(),
                        failed.elapsed())));
        callBack(retry.onRetry(), failed, delay, Optional.empty());
    }

    /** A message that succeeded at once; only the policy's own callbacks hear of it. */
    void succeededAtOnce(ActorContext<C> actor, long startNanos) {
        if (!policy.callbacks().isEmpty()) {
            Duration elapsed = Duration.ofNanos(Math.max(0, retry.time().nanos() - startNanos));
            tellSuccess(actor, policy.callbacks(), 1, elapsed);
        }
    }

    /** A message that had to wait, for a retry or for a result. */
    void succeeded(ActorContext<C> actor, PendingMessage<C> pending) {
        int attempts = pending.attempts() + 1;
        Duration elapsed = pending.elapsed(retry.time());
        if (attempts == 1) {
            tellSuccess(actor, policy.callbacks(), attempts, elapsed);
            return;
        }
        Logger log = actor.getLog();
        if (log.isInfoEnabled()) {
            log.info(
                    "{} succeeded on {} after {} attempts in {}",
                    retry.name(),
                    pending.message.getClass().getSimpleName(),
                    attempts,
                    DurationText.format(elapsed));
        }
        tellSuccess(actor, everyone, attempts, elapsed);
    }

    /** What to throw, so that supervision sees it. */
    Throwable gaveUp(FailedAttempt<C> failed, Reason reason) {
        tellBreaker(failed, reason);
        tellGaveUp(failed, reason);
        if (reason.isExhaustion()) {
            callBack(retry.onRetryExhausted(), failed, Duration.ZERO, Optional.of(reason));
        }
        Throwable original = failed.error();
        boolean asItWas = original != null && (!reason.isExhaustion() || policy.maxAttempts() == 1);
        Throwable thrown = asItWas
                ? original
                : new RetryExhaustedException(
                        retry.name() + " on " + failed.messageType(), reason, failed.number(), original);
        burial.rememberEnd(failed, reason);
        burial.bury(failed, reason).ifPresent(notKept -> {
            if (notKept != thrown) {
                thrown.addSuppressed(notKept);
            }
        });
        return thrown;
    }

    /** The actor stops while the message waits. */
    void cancelled(ActorContext<C> actor, PendingMessage<C> pending) {
        FailedAttempt<C> failed = failure(actor, pending, Failure.kind(Reason.CANCELLED.code()), 0);
        tellBreaker(failed, Reason.CANCELLED);
        tellGaveUp(failed, Reason.CANCELLED);
        burial.bury(failed, Reason.CANCELLED);
        if (retry.sink() == null) {
            EventStreamNotices.dropped(actor, pending.message, retry.name() + " stopped before its retry");
        }
    }

    /** The circuit breaker let no attempt through. The actor goes on: it is not to blame. */
    Behavior<C> refused(ActorContext<C> actor, C message) {
        CircuitBreaker breaker = retry.breaker();
        PendingMessage<C> unseen = new PendingMessage<>(
                message, CircuitBreaker.REFUSED, retry.time().nanos());
        Failure open = Failure.thrown(new CircuitOpenException(breaker.name(), breaker.remainingOpen()));
        FailedAttempt<C> refusal = failure(actor, unseen, open, 0);
        tellGaveUp(refusal, Reason.CIRCUIT_OPEN);
        if (retry.onRefused() != null) {
            return retry.onRefused().apply(refusal.context(Duration.ZERO, Optional.of(Reason.CIRCUIT_OPEN)));
        }
        burial.bury(refusal, Reason.CIRCUIT_OPEN);
        if (retry.sink() == null) {
            EventStreamNotices.dropped(actor, message, "circuit breaker '" + breaker.name() + "' of " + retry.name() + " is open");
        }
        return Behaviors.same();
    }

    private void tellBreaker(FailedAttempt<C> failed, Reason reason) {
        CircuitBreaker breaker = retry.breaker();
        if (breaker == null) {
            return;
        }
        if (reason == Reason.CANCELLED || reason == Reason.INTERRUPTED) {
            breaker.abandoned(failed.pending().permit);
        } else {
            breaker.failed(failed.pending().permit, failed.error());
        }
    }

    private void tellSuccess(ActorContext<C> actor, List<RetryListener> hearers, int attempts, Duration elapsed) {
        tell(actor, hearers, listener -> {
            listener.onAttempt(new RetryListener.Attempted(
                    retry.name(), attempts, policy.maxAttempts(), Optional.empty(), elapsed));
            listener.onSuccess(new RetryListener.Succeeded(retry.name(), attempts, policy.maxAttempts(), elapsed));
        });
    }

    private void tellGaveUp(FailedAttempt<C> failed, Reason reason) {
        tell(
                failed.actor(),
                everyone,
                listener -> listener.onGaveUp(new RetryListener.GaveUp(
                        retry.name(),
                        reason,
                        failed.number(),
                        failed.maxAttempts(),
                        failed.failure(),
                        failed.elapsed())));
    }

    private void callBack(
            List<Consumer<? super RetryContext<C>>> callbacks,
            FailedAttempt<C> failed,
            Duration delay,
            Optional<Reason> reason) {
        for (Consumer<? super RetryContext<C>> callback : callbacks) {
            guarded(failed.actor(), callback, () -> callback.accept(failed.context(delay, reason)));
        }
    }

    private void tell(ActorContext<C> actor, List<RetryListener> listeners, Consumer<RetryListener> event) {
        for (RetryListener listener : listeners) {
            guarded(actor, listener, () -> event.accept(listener));
        }
    }

    private void guarded(ActorContext<C> actor, Object told, Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            // The text alone: a log that prints the exception asks for its message, which may throw in its turn.
            actor.getLog()
                    .warn(
                            "callback {} threw; ignored: {}",
                            told.getClass().getName(),
                            Failure.thrown(e).message());
        }
    }
}

package io.redrive.pekko;

import io.redrive.core.DurationText;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.slf4j.Logger;

/**
 * Tells the actor's log, the listeners and the callbacks about the attempts of messages under one policy. An exception from a
 * listener or a callback is logged and changes nothing.
 *
 * <p>A message that succeeds at its first attempt is reported only to the callbacks of the policy: listeners of a retry
 * behavior would otherwise cost every message.
 */
final class RetryNotifier<C> {

    private final RetrySettings<C> settings;
    private final RetryPolicy policy;
    /** The callbacks of the policy, then the listeners of the retry behavior. */
    private final List<RetryListener> listeners;

    RetryNotifier(RetrySettings<C> settings, RetryPolicy policy) {
        this.settings = settings;
        this.policy = policy;
        listeners = new ArrayList<>(policy.callbacks());
        listeners.addAll(settings.listeners);
    }

    void attemptFailed(FailedAttempt<C> failed) {
        tell(
                failed.actor(),
                listeners,
                listener -> listener.onAttempt(new RetryListener.Attempted(
                        settings.name,
                        failed.number(),
                        failed.maxAttempts(),
                        Optional.of(failed.failure()),
                        failed.elapsed())));
    }

    void budgetRefused(FailedAttempt<C> failed, RetryBudget budget) {
        tell(
                failed.actor(),
                listeners,
                listener -> listener.onBudgetRefused(
                        new RetryListener.BudgetRefused(settings.name, budget.name(), failed.number())));
    }

    void retrying(FailedAttempt<C> failed, Duration delay) {
        Logger log = failed.actor().getLog();
        if (log.isWarnEnabled()) {
            log.warn(
                    "{} failed on {} (attempt {}/{}): {}. Retrying in {}",
                    settings.name,
                    failed.messageType(),
                    failed.number(),
                    failed.maxAttempts(),
                    failed.failure().message(),
                    DurationText.format(delay));
        }
        tell(
                failed.actor(),
                listeners,
                listener -> listener.onRetry(new RetryListener.Retrying(
                        settings.name,
                        failed.number(),
                        failed.maxAttempts(),
                        delay,
                        failed.failure(),
                        failed.elapsed())));
        callBack(settings.onRetry, failed, delay, Optional.empty());
    }

    /** Reports success in a first attempt, begun at {@code startNanos}, by a message which was never pending. */
    void succeededAtOnce(ActorContext<C> actor, long startNanos) {
        if (!policy.callbacks().isEmpty()) {
            Duration elapsed = Duration.ofNanos(Math.max(0, settings.time.nanos() - startNanos));
            tellSuccess(actor, policy.callbacks(), 1, elapsed);
        }
    }

    /** Reports success of a message which was pending. */
    void succeeded(ActorContext<C> actor, PendingMessage<C> pending) {
        int attempts = pending.attempts() + 1;
        Duration elapsed = pending.elapsed(settings.time);
        if (attempts == 1) {
            tellSuccess(actor, policy.callbacks(), attempts, elapsed);
            return;
        }
        Logger log = actor.getLog();
        if (log.isInfoEnabled()) {
            log.info(
                    "{} succeeded on {} after {} attempts in {}",
                    settings.name,
                    pending.message.getClass().getSimpleName(),
                    attempts,
                    DurationText.format(elapsed));
        }
        tellSuccess(actor, listeners, attempts, elapsed);
    }

    /** Reports a message that was given up; {@code onRetryExhausted} is called only for an exhaustion. */
    void gaveUp(FailedAttempt<C> failed, Reason reason) {
        tell(
                failed.actor(),
                listeners,
                listener -> listener.onGaveUp(new RetryListener.GaveUp(
                        settings.name,
                        reason,
                        failed.number(),
                        failed.maxAttempts(),
                        failed.failure(),
                        failed.elapsed())));
        if (reason.isExhaustion()) {
            callBack(settings.onRetryExhausted, failed, Duration.ZERO, Optional.of(reason));
        }
    }

    private void tellSuccess(ActorContext<C> actor, List<RetryListener> audience, int attempts, Duration elapsed) {
        tell(actor, audience, listener -> {
            listener.onAttempt(new RetryListener.Attempted(
                    settings.name, attempts, policy.maxAttempts(), Optional.empty(), elapsed));
            listener.onSuccess(new RetryListener.Succeeded(settings.name, attempts, policy.maxAttempts(), elapsed));
        });
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

    private void tell(ActorContext<C> actor, List<RetryListener> audience, Consumer<RetryListener> event) {
        for (RetryListener listener : audience) {
            guarded(actor, listener, () -> event.accept(listener));
        }
    }

    private void guarded(ActorContext<C> actor, Object callback, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            // Only the text: a log that prints the exception calls getMessage(), which may throw in turn.
            actor.getLog()
                    .warn(
                            "callback {} threw; ignored: {}",
                            callback.getClass().getName(),
                            Failure.thrown(e).message());
        }
    }
}

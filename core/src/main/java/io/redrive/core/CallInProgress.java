package io.redrive.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The state of one call: counts attempts, asks policy and budget for a decision, tells the listeners, and keeps the
 * failures that the end of the call needs. Never waits and never runs the operation: {@link BlockingCall} and {@link
 * AsyncCall} do. Created only after the first failure where possible, so that a call that succeeds at once allocates
 * nothing. Used by one thread at a time.
 */
final class CallInProgress {

    private final CallSettings settings;
    private final long permit;
    private final boolean timed;
    private final long startNanos;
    private int attempts;
    private Duration previousDelay = Duration.ZERO;
    private @Nullable Failure last;
    private List<Throwable> earlier = List.of();

    CallInProgress(CallSettings settings, long permit, boolean timed, long startNanos) {
        this.settings = settings;
        this.permit = permit;
        this.timed = timed;
        this.startNanos = startNanos;
    }

    /** Counts a failed attempt and returns the decision about the next one. */
    Decision failed(Failure failure) {
        attempts++;
        remember(failure);
        Duration elapsed = elapsed();
        if (settings.hasListeners()) {
            RetryListener.Attempted attempted = new RetryListener.Attempted(
                    settings.name(), attempts, settings.policy().maxAttempts(), Optional.of(failure), elapsed);
            settings.tell(listener -> listener.onAttempt(attempted));
        }
        Decision decision = withinBudget(decide(failure, elapsed), failure);
        if (decision instanceof Decision.RetryAfter wait) {
            previousDelay = wait.delay();
            if (settings.hasListeners()) {
                RetryListener.Retrying retrying = new RetryListener.Retrying(
                        settings.name(), attempts, settings.policy().maxAttempts(), wait.delay(), failure, elapsed);
                settings.tell(listener -> listener.onRetry(retrying));
            }
        }
        return decision;
    }

    /** Counts a successful attempt, which ends the call. */
    void succeeded() {
        attempts++;
        if (settings.breaker() != null) {
            settings.breaker().succeeded(permit);
        }
        if (settings.hasListeners()) {
            Duration elapsed = elapsed();
            RetryListener.Attempted attempted = new RetryListener.Attempted(
                    settings.name(), attempts, settings.policy().maxAttempts(), Optional.empty(), elapsed);
            RetryListener.Succeeded success = new RetryListener.Succeeded(
                    settings.name(), attempts, settings.policy().maxAttempts(), elapsed);
            settings.tell(listener -> {
                listener.onAttempt(attempted);
                listener.onSuccess(success);
            });
        }
    }

    /**
     * Ends a failed call: adds earlier exceptions, and a trace of the attempts, to the last exception as suppressed.
     */
    void gaveUp(Reason reason) {
        Duration elapsed = elapsed();
        Throwable error = lastException();
        if (settings.breaker() != null && reason != Reason.CIRCUIT_OPEN) {
            if (reason == Reason.CANCELLED || reason == Reason.INTERRUPTED) {
                settings.breaker().abandoned(permit);
            } else {
                settings.breaker().failed(permit, error);
            }
        }
        if (error != null) {
            earlier.forEach(one -> Suppression.add(error, one));
            if (reason.isExhaustion() && settings.policy().maxAttempts() > 1) {
                RetryTrace.mark(error, attempts, elapsed, reason);
            }
        }
        if (settings.hasListeners()) {
            Failure failure = last == null ? Failure.kind(reason.code()) : last;
            RetryListener.GaveUp event = new RetryListener.GaveUp(
                    settings.name(), reason, attempts, settings.policy().maxAttempts(), failure, elapsed);
            settings.tell(listener -> listener.onGaveUp(event));
        }
    }

    /** Ends a call before its first attempt, because the breaker is open. */
    CircuitOpenException refused() {
        CircuitBreaker breaker = Objects.requireNonNull(settings.breaker(), "only a breaker refuses calls");
        CircuitOpenException open = new CircuitOpenException(breaker.name(), breaker.remainingOpen());
        last = Failure.thrown(open);
        gaveUp(Reason.CIRCUIT_OPEN);
        return open;
    }

    int attempts() {
        return attempts;
    }

    Duration elapsed() {
        return timed ? Duration.ofNanos(Math.max(0, settings.time().nanos() - startNanos)) : Duration.ZERO;
    }

    /**
     * Returns the exception of the last attempt, without asynchronous wrappers; null when the attempt returned a
     * value.
     */
    @Nullable
    Throwable lastException() {
        return last instanceof Failure.Thrown thrown ? thrown.error() : null;
    }

    /** Returns the refused value of the last attempt; null when the attempt threw. */
    @Nullable
    Object lastValue() {
        return last instanceof Failure.Result result ? result.value() : null;
    }

    private Decision decide(Failure failure, Duration elapsed) {
        RandomGenerator random = settings.random() == null ? ThreadLocalRandom.current() : settings.random();
        return settings.policy().decideSafely(new Attempt(attempts, failure, elapsed, previousDelay, random));
    }

    private Decision withinBudget(Decision decision, Failure failure) {
        RetryBudget budget = settings.budget();
        if (budget == null || decision instanceof Decision.GiveUp || budget.tryRetry(failure)) {
            return decision;
        }
        if (settings.hasListeners()) {
            RetryListener.BudgetRefused refused =
                    new RetryListener.BudgetRefused(settings.name(), budget.name(), attempts);
            settings.tell(listener -> listener.onBudgetRefused(refused));
        }
        return Decision.giveUp(Reason.RETRY_BUDGET_EXHAUSTED);
    }

    private void remember(Failure failure) {
        @Nullable Throwable before = lastException();
        last = failure;
        @Nullable Throwable now = lastException();
        if (before == now) {
            return;
        }
        if (!earlier.isEmpty()) {
            // An exception object that was thrown twice must not become a suppressed exception of itself.
            earlier.removeIf(error -> error == now);
        }
        if (before != null && earlier.size() < Suppression.MAX_SUPPRESSED) {
            if (earlier.isEmpty()) {
                earlier = new ArrayList<>(2);
            }
            earlier.add(before);
        }
    }
}

package io.redrive.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * One call on its way through its attempts: counts them, asks the policy, then the budget, tells the listeners, and keeps
 * what the end of the call needs. It neither waits nor runs anything; {@link BlockingCall} and {@link AsyncCall} do. Made
 * only once there is something to remember, so that a call that succeeds at once costs nothing. Used by one thread at a
 * time.
 */
final class CallInProgress {

    private final Retry retry;
    private final long permit;
    private final boolean timed;
    private final long startNanos;
    private int attempts;
    private Duration previousDelay = Duration.ZERO;
    private Failure last;
    private List<Throwable> earlier = List.of();

    CallInProgress(Retry retry, long permit, boolean timed, long startNanos) {
        this.retry = retry;
        this.permit = permit;
        this.timed = timed;
        this.startNanos = startNanos;
    }

    /** What comes after this failure. */
    Decision failed(Failure failure) {
        attempts++;
        remember(failure);
        Duration elapsed = elapsed();
        if (retry.hasListeners()) {
            RetryListener.Attempted attempted = new RetryListener.Attempted(
                    retry.name(), attempts, retry.policy().maxAttempts(), Optional.of(failure), elapsed);
            retry.tell(listener -> listener.onAttempt(attempted));
        }
        Decision decision = withinBudget(decide(failure, elapsed), failure);
        if (decision instanceof Decision.RetryAfter wait) {
            previousDelay = wait.delay();
            if (retry.hasListeners()) {
                RetryListener.Retrying retrying = new RetryListener.Retrying(
                        retry.name(), attempts, retry.policy().maxAttempts(), wait.delay(), failure, elapsed);
                retry.tell(listener -> listener.onRetry(retrying));
            }
        }
        return decision;
    }

    /** The attempt went well and with it the call. */
    void succeeded() {
        attempts++;
        if (retry.breaker() != null) {
            retry.breaker().succeeded(permit);
        }
        if (retry.hasListeners()) {
            Duration elapsed = elapsed();
            RetryListener.Attempted attempted = new RetryListener.Attempted(
                    retry.name(), attempts, retry.policy().maxAttempts(), Optional.empty(), elapsed);
            RetryListener.Succeeded success = new RetryListener.Succeeded(
                    retry.name(), attempts, retry.policy().maxAttempts(), elapsed);
            retry.tell(listener -> {
                listener.onAttempt(attempted);
                listener.onSuccess(success);
            });
        }
    }

    /** The call failed for good; the last exception gets the earlier ones, and a trace of what was tried. */
    void gaveUp(Reason reason) {
        Duration elapsed = elapsed();
        Throwable error = lastException();
        if (retry.breaker() != null && reason != Reason.CIRCUIT_OPEN) {
            if (reason == Reason.CANCELLED || reason == Reason.INTERRUPTED) {
                retry.breaker().abandoned(permit);
            } else {
                retry.breaker().failed(permit, error);
            }
        }
        if (error != null) {
            earlier.forEach(one -> Suppression.add(error, one));
            if (reason.isExhaustion() && retry.policy().maxAttempts() > 1) {
                RetryTrace.mark(error, attempts, elapsed, reason);
            }
        }
        if (retry.hasListeners()) {
            Failure failure = last == null ? Failure.kind(reason.code()) : last;
            RetryListener.GaveUp event = new RetryListener.GaveUp(
                    retry.name(), reason, attempts, retry.policy().maxAttempts(), failure, elapsed);
            retry.tell(listener -> listener.onGaveUp(event));
        }
    }

    /** No attempt was made at all: the breaker is open. */
    CircuitOpenException refused() {
        CircuitOpenException open =
                new CircuitOpenException(retry.breaker().name(), retry.breaker().remainingOpen());
        last = Failure.thrown(open);
        gaveUp(Reason.CIRCUIT_OPEN);
        return open;
    }

    int attempts() {
        return attempts;
    }

    Duration elapsed() {
        return timed ? Duration.ofNanos(Math.max(0, retry.time().nanos() - startNanos)) : Duration.ZERO;
    }

    /** What the last attempt threw, without asynchronous wrappers; null when it returned a value. */
    Throwable lastException() {
        return last instanceof Failure.Thrown thrown ? thrown.error() : null;
    }

    /** What the last attempt returned when that was refused, or null. */
    Object lastValue() {
        return last instanceof Failure.Result result ? result.value() : null;
    }

    private Decision decide(Failure failure, Duration elapsed) {
        RandomGenerator random = retry.random() == null ? ThreadLocalRandom.current() : retry.random();
        return retry.policy().decideSafely(new Attempt(attempts, failure, elapsed, previousDelay, random));
    }

    private Decision withinBudget(Decision decision, Failure failure) {
        RetryBudget budget = retry.budget();
        if (budget == null || decision instanceof Decision.GiveUp || budget.tryRetry(failure)) {
            return decision;
        }
        if (retry.hasListeners()) {
            RetryListener.BudgetRefused refused =
                    new RetryListener.BudgetRefused(retry.name(), budget.name(), attempts);
            retry.tell(listener -> listener.onBudgetRefused(refused));
        }
        return Decision.giveUp(Reason.RETRY_BUDGET_EXHAUSTED);
    }

    private void remember(Failure failure) {
        Throwable before = lastException();
        last = failure;
        Throwable now = lastException();
        if (before == now) {
            return;
        }
        if (!earlier.isEmpty()) {
            // An exception object that is thrown again must not be suppressed in itself.
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

package io.redrive.core;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Hears every event of calls under a {@link Retry}, and of a {@link CircuitBreaker}. Override the methods of
 * interest; each takes one record. Listeners run on the working thread and must be quick. An exception of a listener
 * is logged and changes nothing.
 *
 * <p>The {@code name} of a call is the argument of {@link Retry#named}, or an empty string.
 */
public interface RetryListener {

    /** An attempt ended, well or not. */
    default void onAttempt(Attempted event) {}

    /** An attempt failed and another will follow. */
    default void onRetry(Retrying event) {}

    /** A call succeeded, at the first attempt or a later one. */
    default void onSuccess(Succeeded event) {}

    /** A call failed for good, for any reason. */
    default void onGaveUp(GaveUp event) {}

    /** A retry was refused because the shared budget is spent. */
    default void onBudgetRefused(BudgetRefused event) {}

    /** A circuit breaker changed state. */
    default void onBreakerChanged(BreakerChanged event) {}

    /** An attempt: its number, its failure (empty after a success), and the time since the call began. */
    record Attempted(String name, int attempt, int maxAttempts, Optional<Failure> failure, Duration elapsed) {}

    /** A retry that starts after a wait of {@code delay}. */
    record Retrying(String name, int attempt, int maxAttempts, Duration delay, Failure failure, Duration elapsed) {}

    /** A success after {@code attempts} attempts. */
    record Succeeded(String name, int attempts, int maxAttempts, Duration elapsed) {}

    /** A final failure; {@code failure} is the failure of the last attempt. */
    record GaveUp(String name, Reason reason, int attempts, int maxAttempts, Failure failure, Duration elapsed) {}

    /** A retry refused by the budget {@code budget}. */
    record BudgetRefused(String name, String budget, int attempt) {}

    /** A change of state of the breaker {@code breaker}. */
    record BreakerChanged(String breaker, CircuitBreaker.State from, CircuitBreaker.State to) {}

    /**
     * Returns a listener that logs to {@link System.Logger} under {@code io.redrive.core}; named calls have this
     * listener already.
     */
    static RetryListener logging() {
        return LoggingListener.INSTANCE;
    }

    /** Returns a listener for retries only. */
    static RetryListener onRetry(Consumer<? super Retrying> callback) {
        return new RetryListener() {
            @Override
            public void onRetry(Retrying event) {
                callback.accept(event);
            }
        };
    }

    /** Returns a listener for successes only. */
    static RetryListener onSuccess(Consumer<? super Succeeded> callback) {
        return new RetryListener() {
            @Override
            public void onSuccess(Succeeded event) {
                callback.accept(event);
            }
        };
    }

    /** Returns a listener for calls that exhausted attempts, time or budget. */
    static RetryListener onRetryExhausted(Consumer<? super GaveUp> callback) {
        return new RetryListener() {
            @Override
            public void onGaveUp(GaveUp event) {
                if (event.reason().isExhaustion()) {
                    callback.accept(event);
                }
            }
        };
    }
}

package io.redrive.core;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Hears everything that happens to calls under a {@link Retry}, and to a {@link CircuitBreaker}. Override what matters;
 * each method takes one record. Called on the working thread: be quick. What a listener throws is logged and changes
 * nothing.
 *
 * <p>The {@code name} of a call is what {@link Retry#named} gave, or an empty string.
 */
public interface RetryListener {

    /** An attempt ended, well or not. */
    default void onAttempt(Attempted event) {}

    /** An attempt failed and another will follow. */
    default void onRetry(Retrying event) {}

    /** A call succeeded, at whichever attempt. */
    default void onSuccess(Succeeded event) {}

    /** A call ended in failure, for whichever reason. */
    default void onGaveUp(GaveUp event) {}

    /** A retry was refused because the shared budget is spent. */
    default void onBudgetRefused(BudgetRefused event) {}

    /** A circuit breaker changed state. */
    default void onBreakerChanged(BreakerChanged event) {}

    /** One attempt: its number, how it failed (empty when it did not), and the time since the call began. */
    record Attempted(String name, int attempt, int maxAttempts, Optional<Failure> failure, Duration elapsed) {}

    /** A retry that is about to wait for {@code delay}. */
    record Retrying(String name, int attempt, int maxAttempts, Duration delay, Failure failure, Duration elapsed) {}

    /** A success after {@code attempts} attempts. */
    record Succeeded(String name, int attempts, int maxAttempts, Duration elapsed) {}

    /** A final failure; {@code failure} is the last one. */
    record GaveUp(String name, Reason reason, int attempts, int maxAttempts, Failure failure, Duration elapsed) {}

    /** A retry refused by the budget {@code budget}. */
    record BudgetRefused(String name, String budget, int attempt) {}

    /** A change of state of the breaker {@code breaker}. */
    record BreakerChanged(String breaker, CircuitBreaker.State from, CircuitBreaker.State to) {}

    /** A listener that logs to {@link System.Logger} under {@code io.redrive.core}; named calls have it already. */
    static RetryListener logging() {
        return LoggingListener.INSTANCE;
    }

    /** A listener for retries alone. */
    static RetryListener onRetry(Consumer<? super Retrying> callback) {
        return new RetryListener() {
            @Override
            public void onRetry(Retrying event) {
                callback.accept(event);
            }
        };
    }

    /** A listener for successes alone. */
    static RetryListener onSuccess(Consumer<? super Succeeded> callback) {
        return new RetryListener() {
            @Override
            public void onSuccess(Succeeded event) {
                callback.accept(event);
            }
        };
    }

    /** A listener for calls that ran out of attempts, time or budget. */
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

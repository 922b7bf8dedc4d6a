package io.redrive.core;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a call under a {@link Retry} ended, as a value.
 *
 * @param <T> the type of the call's value
 */
public sealed interface RetryResult<T extends @Nullable Object> {

    /** How many attempts were made; 0 when a circuit breaker let none through. */
    int attempts();

    /** Time from the start of the first attempt to the end. */
    Duration elapsed();

    /** The call returned {@code value}, which may be null. */
    record Success<T extends @Nullable Object>(T value, int attempts, Duration elapsed) implements RetryResult<T> {}

    /**
     * The call failed for good.
     *
     * @param reason why the call ended
     * @param lastException the exception of the last attempt, or null when its result was refused
     * @param attempts the number of attempts
     * @param elapsed time from start to end
     * @param lastValue the last result refused by {@code retryOnResult}, or null
     */
    record Failure<T extends @Nullable Object>(
            Reason reason,
            @Nullable Throwable lastException,
            int attempts,
            Duration elapsed,
            @Nullable T lastValue) implements RetryResult<T> {}

    /** True for {@link Success}. */
    default boolean isSuccess() {
        return this instanceof Success;
    }

    /** Returns the value of a success, or {@code other} after a failure. */
    default T orElse(T other) {
        return this instanceof Success<T> success ? success.value() : other;
    }

    /**
     * Returns the value of a success.
     *
     * @throws RetryExhaustedException after a failure, with the last exception as the cause
     */
    default T orElseThrow() {
        return match(Success::value, failure -> {
            throw new RetryExhaustedException("call", failure.reason(), failure.attempts(), failure.lastException());
        });
    }

    /** Applies the function for this kind of result. */
    default <R> R match(Function<? super Success<T>, R> onSuccess, Function<? super Failure<T>, R> onFailure) {
        if (this instanceof Success<T> success) {
            return onSuccess.apply(success);
        }
        return onFailure.apply((Failure<T>) this);
    }
}

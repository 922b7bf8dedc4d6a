package io.redrive.core;

import java.time.Duration;
import java.util.function.Function;

/**
 * How a call under a {@link Retry} ended, as a value.
 *
 * @param <T> what the call returns
 */
public sealed interface RetryResult<T> {

    /** How many attempts were made; 0 when a circuit breaker let none through. */
    int attempts();

    /** Time from the start of the first attempt to the end. */
    Duration elapsed();

    /** The call returned {@code value}, which may be null. */
    record Success<T>(T value, int attempts, Duration elapsed) implements RetryResult<T> {}

    /**
     * The call failed for good.
     *
     * @param reason why there was no further attempt
     * @param lastException what the last attempt threw, or null when its result was refused
     * @param attempts how many were made
     * @param elapsed from start to end
     * @param lastValue the last result refused by {@code retryOnResult}, or null
     */
    record Failure<T>(Reason reason, Throwable lastException, int attempts, Duration elapsed, T lastValue)
            implements RetryResult<T> {}

    /** True for {@link Success}. */
    default boolean isSuccess() {
        return this instanceof Success;
    }

    /** The value of a success, or {@code other}. */
    default T orElse(T other) {
        return this instanceof Success<T> success ? success.value() : other;
    }

    /** The value of a success, or a {@link RetryExhaustedException} with the last exception as its cause. */
    default T orElseThrow() {
        return match(Success::value, failure -> {
            throw new RetryExhaustedException("call", failure.reason(), failure.attempts(), failure.lastException());
        });
    }

    /** Applies the function that fits this result. */
    default <R> R match(Function<? super Success<T>, R> onSuccess, Function<? super Failure<T>, R> onFailure) {
        if (this instanceof Success<T> success) {
            return onSuccess.apply(success);
        }
        return onFailure.apply((Failure<T>) this);
    }
}

package io.redrive.core;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How an {@link AsyncCall} completes the caller's future: with the bare value, or with a {@link RetryResult}. */
sealed interface AsyncEnding<T extends @Nullable Object> {

    /** Returns the caller's future. */
    CompletableFuture<?> future();

    void succeeded(T value, CallInProgress call);

    void failed(Reason reason, CallInProgress call);

    record WithValue<T extends @Nullable Object>(CompletableFuture<T> future) implements AsyncEnding<T> {
        @Override
        public void succeeded(T value, CallInProgress call) {
            future.complete(value);
        }

        @Override
        @SuppressWarnings("unchecked")
        public void failed(Reason reason, CallInProgress call) {
            if (call.lastException() != null) {
                future.completeExceptionally(call.lastException());
            } else {
                future.complete((T) call.lastValue());
            }
        }
    }

    record WithResult<T extends @Nullable Object>(CompletableFuture<RetryResult<T>> future) implements AsyncEnding<T> {
        @Override
        public void succeeded(T value, CallInProgress call) {
            future.complete(new RetryResult.Success<>(value, call.attempts(), call.elapsed()));
        }

        @Override
        @SuppressWarnings("unchecked")
        public void failed(Reason reason, CallInProgress call) {
            future.complete(new RetryResult.Failure<>(
                    reason, call.lastException(), call.attempts(), call.elapsed(), (T) call.lastValue()));
        }
    }
}

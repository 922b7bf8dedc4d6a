package io.redrive.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** An attempt on an executor. Unlike a plain future, cancelling the task interrupts the working thread. */
final class InterruptibleTask<T extends @Nullable Object> extends CompletableFuture<T> implements Runnable {

    private final FutureTask<Void> task;

    InterruptibleTask(Operation<? extends T, ?> operation) {
        task = new FutureTask<>(() -> {
            try {
                complete(operation.run());
            } catch (Throwable error) {
                completeExceptionally(error);
            }
            return null;
        });
    }

    @Override
    public void run() {
        task.run();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        task.cancel(mayInterruptIfRunning);
        return cancelled;
    }
}

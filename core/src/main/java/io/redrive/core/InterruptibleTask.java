package io.redrive.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;

/** An attempt that runs on an executor; unlike a plain future, cancelling it interrupts the thread that works on it. */
final class InterruptibleTask<T> extends CompletableFuture<T> implements Runnable {

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

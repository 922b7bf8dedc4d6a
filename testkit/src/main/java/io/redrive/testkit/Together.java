package io.redrive.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Runs a task on several threads that start at the same moment. */
final class Together {

    private static final long PATIENCE_SECONDS = 60;

    private Together() {}

    /**
     * Returns the results of all threads. Throws the first exception of a thread at once, and interrupts the threads
     * still running.
     */
    static <T> List<T> run(int threads, IntFunction<T> task) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        CompletionService<T> completed = new ExecutorCompletionService<>(executor);
        CyclicBarrier start = new CyclicBarrier(threads);
        try {
            for (int i = 0; i < threads; i++) {
                int index = i;
                completed.submit(() -> {
                    start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                    return task.apply(index);
                });
            }
            List<T> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Future<T> next = completed.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (next == null) {
                    throw new AssertionError("a thread did not end within " + PATIENCE_SECONDS + " s");
                }
                results.add(next.get());
            }
            return results;
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError("a thread failed: " + e.getCause(), e);
        } finally {
            executor.shutdownNow();
        }
    }
}

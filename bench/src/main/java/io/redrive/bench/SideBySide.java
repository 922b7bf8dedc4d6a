package io.redrive.bench;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Preparations that run side by side, before anything is measured. */
final class SideBySide {

    /** A preparation. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    private SideBySide() {}

    /** Runs all steps and waits for their end; throws the failure of the first step that failed. */
    static void run(Step... steps) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(steps.length);
        try {
            List<Callable<Boolean>> calls = List.of(steps).stream()
                    .map(step -> (Callable<Boolean>) () -> {
                        step.run();
                        return true;
                    })
                    .toList();
            for (Future<Boolean> each : threads.invokeAll(calls)) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }
}

package io.redrive.pipeline;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** Holds handlers back until the test runs them: a pipeline with busy handlers, without threads. */
final class QueuedExecutor implements Executor {

    final Deque<Runnable> waiting = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
    }

    void runNext() {
        waiting.remove().run();
    }

    void runAll() {
        while (!waiting.isEmpty()) {
            runNext();
        }
    }
}

package io.redrive.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Small parts shared by the tests of calls. */
final class Probes {

    private static final Duration PATIENCE = Duration.ofSeconds(8);

    /** Three attempts, one second apart, no jitter. */
    static final RetryPolicy THREE = RetryPolicy.builder()
            .maxAttempts(3)
            .backoff(Backoff.fixed(Duration.ofSeconds(1)))
            .jitter(Jitter.none())
            .build();

    private Probes() {}

    /** Waits for the work of another thread, and fails after {@link #PATIENCE}. */
    static void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted() || System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new AssertionError("waited in vain");
            }
            Thread.yield();
        }
    }

    /** Turns the clock to the next task until the call has ended; later attempts run on other threads. */
    static void stepUntilDone(CompletableFuture<?> future, ManualTime time) {
        await(() -> {
            if (!future.isDone()) {
                time.advanceToNext();
            }
            return future.isDone();
        });
    }

    /** Throws the given failures in order, then returns the value; counts its runs. */
    static final class Flaky<T> implements Operation<T, Exception> {
        private final T value;
        private final List<Throwable> failures;
        final AtomicInteger runs = new AtomicInteger();

        Flaky(T value, Throwable... failures) {
            this.value = value;
            this.failures = List.of(failures);
        }

        @Override
        public T run() throws Exception {
            int run = runs.getAndIncrement();
            if (run < failures.size()) {
                throw Undeclared.<RuntimeException>sneaky(failures.get(run));
            }
            return value;
        }
    }

    /** Records every event of a call. */
    static final class Recorder implements RetryListener {
        final List<Object> events = new ArrayList<>();

        @Override
        public void onAttempt(Attempted event) {
            events.add(event);
        }

        @Override
        public void onRetry(Retrying event) {
            events.add(event);
        }

        @Override
        public void onSuccess(Succeeded event) {
            events.add(event);
        }

        @Override
        public void onGaveUp(GaveUp event) {
            events.add(event);
        }

        @Override
        public void onBudgetRefused(BudgetRefused event) {
            events.add(event);
        }

        @Override
        public void onBreakerChanged(BreakerChanged event) {
            events.add(event);
        }

        List<String> kinds() {
            return events.stream()
                    .map(event -> event.getClass().getSimpleName())
                    .toList();
        }
    }
}

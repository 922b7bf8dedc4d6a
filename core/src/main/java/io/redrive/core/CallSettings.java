package io.redrive.core;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a {@link Retry} that its calls use. Immutable; null means that the part is absent.
 *
 * @param name names the calls in logs and metrics; empty without a name
 * @param listeners the callbacks of the policy, then the listeners of the retry
 * @param random the source of jitter; null for the thread's own source
 */
record CallSettings(
        RetryPolicy policy,
        String name,
        @Nullable Duration attemptTimeout,
        @Nullable CircuitBreaker breaker,
        @Nullable RetryBudget budget,
        List<RetryListener> listeners,
        Time time,
        @Nullable RandomGenerator random) {

    CallSettings {
        listeners = List.copyOf(listeners);
    }

    boolean hasListeners() {
        return !listeners.isEmpty();
    }

    void tell(Consumer<RetryListener> event) {
        Listeners.tell(listeners, event);
    }

    /**
     * Asks the breaker for a permit and credits the budget with a first attempt. Returns the permit or the breaker's
     * refusal.
     */
    long enter() {
        long permit = breaker == null ? 0 : breaker.tryEnter();
        if (budget != null && permit != CircuitBreaker.REFUSED) {
            budget.firstAttempt();
        }
        return permit;
    }
}

package io.redrive.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The parts that a {@link Retry} is made of, with the defaults; null means that the part is absent. */
final class RetryParts {

    final RetryPolicy policy;
    String name = "";

    @Nullable
    Duration attemptTimeout;

    @Nullable
    CircuitBreaker breaker;

    @Nullable
    RetryBudget budget;

    final List<RetryListener> added = new ArrayList<>();
    Time time = Time.system();

    @Nullable
    RandomGenerator random;

    @Nullable
    ContextCarrier context;

    RetryParts(RetryPolicy policy) {
        this.policy = policy;
    }

    /** Returns the settings of calls; a name adds the listener that logs. */
    CallSettings callSettings() {
        List<RetryListener> listeners = new ArrayList<>(policy.callbacks());
        listeners.addAll(added);
        if (!name.isEmpty()) {
            listeners.add(RetryListener.logging());
        }
        return new CallSettings(policy, name, attemptTimeout, breaker, budget, listeners, time, random);
    }
}

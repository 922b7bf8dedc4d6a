package io.redrive.spring.actors;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.Presets;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import io.redrive.spring.RedriveSettings;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The policies, breakers and budgets by name, the listeners and the clock for the retries of all actors of an application.
 */
record RetryDependencies(
        Function<String, RetryPolicy> policies,
        Function<String, CircuitBreaker> breakers,
        Function<String, RetryBudget> budgets,
        List<RetryListener> listeners,
        Time time) {

    static RetryDependencies of(RedriveSettings settings, List<RetryListener> listeners, Time time) {
        return new RetryDependencies(settings::policy, settings::breaker, settings::budget, listeners, time);
    }

    /** For tests. */
    static RetryDependencies withoutApplication(Map<String, RetryPolicy> policies) {
        return new RetryDependencies(
                name -> policies.containsKey(name) ? policies.get(name) : Presets.named(name),
                name -> missing("breaker", name),
                name -> missing("budget", name),
                List.of(),
                Time.system());
    }

    private static <T> T missing(String what, String name) {
        throw new IllegalArgumentException(
                "no " + what + " '" + name + "': a context without an application has none; pass one to the builder");
    }
}

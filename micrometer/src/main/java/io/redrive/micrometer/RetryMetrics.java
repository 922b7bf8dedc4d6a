package io.redrive.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryListener;
import java.util.Locale;
import java.util.Objects;

/**
 * Counts calls, breakers and budgets in Micrometer meters. Thread-safe; create one instance for a registry and add the
 * instance as a listener.
 *
 * <pre>{@code
 * RetryMetrics metrics = RetryMetrics.on(registry);
 * CircuitBreaker breaker = CircuitBreaker.builder("payments").listener(metrics).build();
 * RetryBudget budget = RetryBudget.of("payments");
 * metrics.watch(breaker);
 * metrics.watch(budget);
 * Retry payments = Retry.with(policy).named("payments").breaker(breaker).budget(budget).listener(metrics);
 * }</pre>
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th></tr>
 * <tr><td>{@code retry.calls}</td><td>counter</td><td>{@code name},
 *     {@code outcome} (success, success_after_retry, failure), {@code reason} (none, or a code of Reason)</td></tr>
 * <tr><td>{@code retry.latency}</td><td>timer, whole call</td><td>{@code name}, {@code outcome}</td></tr>
 * <tr><td>{@code retry.attempt.count}</td><td>histogram, attempts of a call</td>
 *     <td>{@code name}, {@code outcome}</td></tr>
 * <tr><td>{@code retry.attempts}</td><td>counter</td><td>{@code name}, {@code outcome} (success, failure)</td></tr>
 * <tr><td>{@code retry.delay}</td><td>timer; its count is the number of retries</td><td>{@code name}</td></tr>
 * <tr><td>{@code retry.budget.refused}</td><td>counter</td><td>{@code name}, {@code budget}</td></tr>
 * <tr><td>{@code retry.budget.tokens}</td><td>gauge</td><td>{@code budget}</td></tr>
 * <tr><td>{@code circuit.breaker.state}</td><td>gauge: 0 closed, 1 half-open, 2 open</td><td>{@code breaker}</td></tr>
 * <tr><td>{@code circuit.breaker.transitions}</td><td>counter</td><td>{@code breaker},
 *     {@code to} (closed, half_open, open)</td></tr>
 * </table>
 *
 * <p>Tags are bounded: no ids, no messages, no exception types. Calls without a name have the tag {@code unnamed}; names
 * beyond the first {@value #MAX_NAMES} of a kind are counted together as {@code other}.
 */
public final class RetryMetrics implements RetryListener {

    /** The most names of calls, of breakers and of budgets with separate meters. */
    public static final int MAX_NAMES = 200;

    private final MeterRegistry registry;
    private final BoundedNames<CallMeters> calls;
    private final BoundedNames<String> breakers = new BoundedNames<>(MAX_NAMES, name -> name);
    private final BoundedNames<String> budgets = new BoundedNames<>(MAX_NAMES, name -> name);

    private RetryMetrics(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
        calls = new BoundedNames<>(MAX_NAMES, name -> new CallMeters(registry, name));
    }

    /** Returns a listener that counts in {@code registry}. */
    public static RetryMetrics on(MeterRegistry registry) {
        return new RetryMetrics(registry);
    }

    /**
     * Shows the state of a breaker, and keeps the breaker reachable as long as the registry. Changes of state are counted only
     * for a breaker that was also built with this {@linkplain CircuitBreaker.Builder#listener listener}.
     */
    public void watch(CircuitBreaker breaker) {
        if (!breakers.isOther(breaker.name())) {
            Gauge.builder("circuit.breaker.state", breaker, watched -> stateCode(watched.state()))
                    .description("State of the breaker: 0 closed, 1 half-open, 2 open")
                    .tag("breaker", breaker.name())
                    .strongReference(true)
                    .register(registry);
        }
    }

    /** Shows the tokens left in a budget, and keeps the budget reachable as long as the registry. */
    public void watch(RetryBudget budget) {
        if (!budgets.isOther(budget.name())) {
            Gauge.builder("retry.budget.tokens", budget, RetryBudget::tokens)
                    .description("Tokens left in the budget")
                    .tag("budget", budget.name())
                    .strongReference(true)
                    .register(registry);
        }
    }

    @Override
    public void onAttempt(Attempted event) {
        calls.of(event.name()).attempted(event);
    }

    @Override
    public void onRetry(Retrying event) {
        calls.of(event.name()).retrying(event);
    }

    @Override
    public void onSuccess(Succeeded event) {
        calls.of(event.name()).succeeded(event);
    }

    @Override
    public void onGaveUp(GaveUp event) {
        calls.of(event.name()).gaveUp(event);
    }

    @Override
    public void onBudgetRefused(BudgetRefused event) {
        // Rare by nature, and two names: looked up instead of kept.
        Counter.builder("retry.budget.refused")
                .description("Retries refused because the shared budget was spent")
                .tag("name", calls.of(event.name()).tag())
                .tag("budget", budgets.of(event.budget()))
                .register(registry)
                .increment();
    }

    @Override
    public void onBreakerChanged(BreakerChanged event) {
        Counter.builder("circuit.breaker.transitions")
                .description("Changes of state")
                .tag("breaker", breakers.of(event.breaker()))
                .tag("to", event.to().name().toLowerCase(Locale.ROOT))
                .register(registry)
                .increment();
    }

    private static int stateCode(CircuitBreaker.State state) {
        return switch (state) {
            case CLOSED -> 0;
            case HALF_OPEN -> 1;
            case OPEN -> 2;
        };
    }
}

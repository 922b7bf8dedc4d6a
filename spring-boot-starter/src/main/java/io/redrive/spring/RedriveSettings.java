package io.redrive.spring;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.PolicyLint;
import io.redrive.core.Presets;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryVariables;
import io.redrive.core.SettingException;
import io.redrive.core.Time;
import io.redrive.pipeline.EventPolicies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The policies, budgets and breakers of {@link RedriveProperties}, by name. {@link #rebind()} reads policies and budgets
 * anew while the application runs. Thread-safe.
 */
public final class RedriveSettings {

    private static final Log LOG = LogFactory.getLog(RedriveSettings.class);

    private final SettingsSource source;
    private final Map<String, CircuitBreaker> breakers = new LinkedHashMap<>();
    private final Map<String, RetryBudget> budgets = new LinkedHashMap<>();
    private final List<Runnable> rebindListeners = new CopyOnWriteArrayList<>();
    private volatile Policies policies;

    private record Policies(Map<String, RetryPolicy> byName, EventPolicies ofEvents) {}

    /** Reads the properties of {@code source}; each {@link #rebind()} reads them again. */
    RedriveSettings(SettingsSource source, Time time, List<RetryListener> listeners) {
        this.source = source;
        RedriveProperties properties = source.read();
        policies = policiesOf(properties, source.variables());
        properties.budgets().forEach((name, settings) -> budgets.put(name, settings.budget(name)));
        properties.breakers().forEach((name, settings) -> breakers.put(name, settings.breaker(name, time, listeners)));
        properties
                .policies()
                .keySet()
                .forEach(name -> PolicyLint.warnings(policy(name))
                        .forEach(warning -> LOG.warn(SettingPath.below("redrive.policies", name) + ": " + warning)));
    }

    /** The policy {@code redrive.policies.NAME}, or the preset {@code NAME}. */
    public RetryPolicy policy(String name) {
        return find("policy", policies.byName, name);
    }

    /** The budget {@code redrive.budgets.NAME}. */
    public RetryBudget budget(String name) {
        return find("budget", budgets, name);
    }

    /** The breaker {@code redrive.breakers.NAME}. */
    public CircuitBreaker breaker(String name) {
        return find("breaker", breakers, name);
    }

    /** The policies of events: {@link EventPolicies#defaults()} changed by {@code redrive.events.policies}. */
    public EventPolicies eventPolicies() {
        return policies.ofEvents;
    }

    /**
     * Reads policies and budgets from the environment again; the new values hold from the next decision on. New budgets,
     * changes of breakers and all further settings need a restart.
     */
    public synchronized void rebind() {
        RedriveProperties properties = source.read();
        Policies changed = policiesOf(properties, source.variables());
        Map<String, RetryBudget> newBudgets = new LinkedHashMap<>();
        properties.budgets().forEach((name, settings) -> newBudgets.put(name, settings.budget(name)));
        if (!budgets.keySet().containsAll(newBudgets.keySet())) {
            newBudgets.keySet().removeAll(budgets.keySet());
            throw SettingException.of(
                    SettingPath.below(
                            "redrive.budgets", newBudgets.keySet().iterator().next()),
                    "is a new budget, which needs a restart",
                    "");
        }
        policies = changed;
        budgets.forEach((name, budget) -> {
            if (newBudgets.containsKey(name)) {
                budget.use(newBudgets.get(name));
            }
        });
        rebindListeners.forEach(Runnable::run);
    }

    /**
     * Changes a policy or budget setting, for example {@code redrive.policies.payments.max-attempts}, until this process
     * ends, and rebinds.
     *
     * @param value the new value; null to undo an earlier change
     * @throws SettingException if the key or the value is refused; no setting has changed
     */
    public synchronized void change(String key, @Nullable String value) {
        Runnable undo = source.change(key, value);
        try {
            rebind();
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    /** Runs {@code listener} after each {@link #rebind()}. */
    void onRebind(Runnable listener) {
        rebindListeners.add(listener);
    }

    /**
     * Identifies the current policies: each {@link #rebind()} makes a new object. For caches of objects made from a policy.
     */
    Object version() {
        return policies;
    }

    Map<String, RetryPolicy> policies() {
        return policies.byName;
    }

    Map<String, CircuitBreaker> breakers() {
        return breakers;
    }

    Map<String, RetryBudget> budgets() {
        return budgets;
    }

    private static Policies policiesOf(RedriveProperties properties, Map<String, String> variables) {
        Map<String, String> defaults = RetryVariables.settings(variables);
        RetryPolicy base = defaults.isEmpty() ? null : RetryPolicy.fromMap(defaults);
        Map<String, RetryPolicy> byName = new TreeMap<>(Presets.all());
        properties.policies().forEach((name, settings) -> {
            RetryPolicy inForce = Presets.all().getOrDefault(name, base);
            byName.put(name, settings.policy(inForce, SettingPath.below("redrive.policies", name)));
        });
        Map<String, Map<String, String>> ofEvents = new LinkedHashMap<>();
        properties.events().policies().forEach((pattern, settings) -> ofEvents.put(pattern, settings.settings()));
        EventPolicies start = defaults.isEmpty()
                ? EventPolicies.defaults()
                : EventPolicies.defaults().with(Map.of("*", defaults));
        try {
            return new Policies(byName, start.with(ofEvents));
        } catch (SettingException e) {
            throw e.under("redrive.events.policies");
        }
    }

    private static <T> T find(String what, Map<String, T> known, String name) {
        T found = known.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no " + what + " '" + name + "' (known: "
                    + String.join(", ", new TreeSet<>(known.keySet())) + "); set redrive." + PLURAL.apply(what) + "."
                    + name + ".*");
        }
        return found;
    }

    private static final Function<String, String> PLURAL = what -> what.equals("policy") ? "policies" : what + "s";
}

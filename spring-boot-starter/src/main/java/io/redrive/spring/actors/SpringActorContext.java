package io.redrive.spring.actors;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryPolicy;
import java.util.Map;

/**
 * Kind and id of the actor for which a {@link SpringActor} creates the behavior, and the policies, breakers and budgets of
 * the settings.
 */
public final class SpringActorContext {

    private final String kind;
    private final String id;
    private final RetryDependencies dependencies;

    SpringActorContext(String kind, String id, RetryDependencies dependencies) {
        this.kind = kind;
        this.id = id;
        this.dependencies = dependencies;
    }

    /** A context for tests without an application: the presets are its only policies, and no listener is told. */
    public static SpringActorContext standalone(String id) {
        return standalone(id, Map.of());
    }

    /** {@link #standalone(String)} with policies by name, in place of settings. */
    public static SpringActorContext standalone(String id, Map<String, RetryPolicy> policies) {
        return new SpringActorContext("standalone", id, RetryDependencies.withoutApplication(Map.copyOf(policies)));
    }

    /** The id of the actor. */
    public String id() {
        return id;
    }

    /** The simple name of the bean's class, used in logs, metrics and dead letters. */
    public String kind() {
        return kind;
    }

    /** The current policy {@code redrive.policies.NAME}, or the preset {@code NAME}. */
    public RetryPolicy policy(String name) {
        return dependencies.policies().apply(name);
    }

    /** The breaker {@code redrive.breakers.NAME}. */
    public CircuitBreaker breaker(String name) {
        return dependencies.breakers().apply(name);
    }

    /** The budget {@code redrive.budgets.NAME}. */
    public RetryBudget budget(String name) {
        return dependencies.budgets().apply(name);
    }

    RetryDependencies dependencies() {
        return dependencies;
    }

    @Override
    public String toString() {
        return kind + " '" + id + "'";
    }
}

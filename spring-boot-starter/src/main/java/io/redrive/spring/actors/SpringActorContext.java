package io.redrive.spring.actors;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryPolicy;
import java.util.Map;

/** What a {@link SpringActor} is told about the actor it makes, and where it finds what the settings name. */
public final class SpringActorContext {

    private final String kind;
    private final String id;
    private final RetryDependencies dependencies;

    SpringActorContext(String kind, String id, RetryDependencies dependencies) {
        this.kind = kind;
        this.id = id;
        this.dependencies = dependencies;
    }

    /** For tests of one actor without an application: of policies it knows the presets, and nobody listens. */
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

    /** The simple name of the bean's class: what its actors are called in logs, metrics and dead letters. */
    public String kind() {
        return kind;
    }

    /** The policy {@code redrive.policies.NAME} of this moment, or the preset of that name. */
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

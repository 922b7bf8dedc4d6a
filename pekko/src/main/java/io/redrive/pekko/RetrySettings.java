package io.redrive.pekko;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import io.redrive.events.DeadLetterSink;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link RetryBehavior}, with their defaults. {@link RetryBehavior} changes a fresh copy before sharing the
 * copy; from then on no field changes, and actors read the fields without locks.
 */
final class RetrySettings<C> {

    /** The class after which the log of the actors is named. */
    final Class<?> logger;

    private final Supplier<RetryPolicy> policy;

    String name;
    final List<Consumer<? super RetryContext<C>>> onRetry;
    final List<Consumer<? super RetryContext<C>>> onRetryExhausted;
    final List<RetryListener> listeners;

    /** The types of messages that are retried; null for all types. */
    @Nullable
    List<Class<? extends C>> only;

    /** How many messages may be held; 0 where order is not kept. */
    int holdLimit;

    @Nullable
    DeadLetterSink<C> sink;

    Function<? super C, String> keyOf = RetrySettings::randomKey;

    @Nullable
    CircuitBreaker breaker;

    /** Handles refused messages; null where refused messages are given up. */
    @Nullable
    Function<? super RetryContext<C>, Behavior<C>> onRefused;

    @Nullable
    RetryBudget budget;

    Time time = Time.system();
    Supplier<RandomGenerator> random = ThreadLocalRandom::current;

    RetrySettings(Class<?> logger, Supplier<RetryPolicy> policy) {
        this.logger = logger;
        this.policy = policy;
        name = logger.getSimpleName();
        onRetry = new ArrayList<>();
        onRetryExhausted = new ArrayList<>();
        listeners = new ArrayList<>();
    }

    RetrySettings(RetrySettings<C> from) {
        logger = from.logger;
        policy = from.policy;
        name = from.name;
        onRetry = new ArrayList<>(from.onRetry);
        onRetryExhausted = new ArrayList<>(from.onRetryExhausted);
        listeners = new ArrayList<>(from.listeners);
        only = from.only;
        holdLimit = from.holdLimit;
        sink = from.sink;
        keyOf = from.keyOf;
        breaker = from.breaker;
        onRefused = from.onRefused;
        budget = from.budget;
        time = from.time;
        random = from.random;
    }

    static String randomKey(Object message) {
        return UUID.randomUUID().toString();
    }

    /** Returns the policy in force, which may change while actors live. */
    RetryPolicy policy() {
        return policy.get();
    }

    /** True when neither types, order, breaker nor budget have to be checked for each message. */
    boolean isPolicyOnly() {
        return only == null && holdLimit == 0 && breaker == null && budget == null;
    }

    /** True when {@code message} is retried. Called for every message, so the loop creates no iterator. */
    boolean retries(C message) {
        List<Class<? extends C>> types = only;
        for (int i = 0; types != null && i < types.size(); i++) {
            if (types.get(i).isInstance(message)) {
                return true;
            }
        }
        return types == null;
    }
}

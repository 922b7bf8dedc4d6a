package io.redrive.pekko;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import io.redrive.events.DeadLetterSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function;

/**
 * Retries messages that the behavior of a typed actor fails at. The actor is not blocked: while a message waits for its next
 * attempt, other messages flow (unless {@link #inOrder}), and the attempts stay with the message. Immutable; every method
 * that changes something returns a new one.
 *
 * <pre>{@code
 * Behavior<Command> resilient = RetryBehavior.of(Command.class, policy)
 *         .onRetryExhausted(failed -> failed.log().error("gave up on {}", failed.message(), failed.error()))
 *         .around(Behaviors.receive(Command.class).onMessage(CallApi.class, this::callApi).build());
 * }</pre>
 *
 * <p>When the policy gives up, the message goes to the dead-letter sink, where there is one, and the actor fails, so that
 * its supervisor decides: with {@link io.redrive.core.RetryExhaustedException} when attempts, time or budget ran out, with
 * the original exception when that is not worth a retry. Put supervision outside, around this. Messages that wait survive
 * a restart; when the actor stops, they go to the sink ({@code cancelled}), or are announced as dropped.
 *
 * <p>A handler may have changed the actor's state before it threw, and sees the message again: make the change last.
 */
public final class RetryBehavior<C> {

    private final Parts<C> parts;

    private RetryBehavior(Parts<C> parts) {
        this.parts = parts;
    }

    /** Retries under {@code policy}; the name is that of the actor's class, as far as the type of its messages tells it. */
    public static <C> RetryBehavior<C> of(Class<C> messages, RetryPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return following(messages, () -> policy);
    }

    /**
     * Retries under the policy that {@code policy} gives at each failure, so that it can change while actors live. Where it
     * throws, an actor keeps to the policy it knows, and logs that.
     */
    public static <C> RetryBehavior<C> following(Class<C> messages, Supplier<RetryPolicy> policy) {
        Parts<C> parts = new Parts<>();
        parts.policy = Objects.requireNonNull(policy, "policy");
        Class<?> actor = messages.getEnclosingClass();
        parts.logger = actor == null ? messages : actor;
        parts.name = parts.logger.getSimpleName();
        return new RetryBehavior<>(parts);
    }

    /** What the actors are called in logs, metrics and dead letters: the kind of actor, not the single one. */
    public RetryBehavior<C> named(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("retry behavior name must not be blank");
        }
        return changed(copy -> copy.name = name);
    }

    /**
     * Concerns only messages of these types; all others pass as if there was nothing around, also past a circuit breaker and
     * past messages that are held back.
     */
    @SafeVarargs
    public final RetryBehavior<C> only(Class<? extends C>... types) {
        List<Class<? extends C>> concerned = new ArrayList<>();
        for (Class<? extends C> type : types) {
            concerned.add(type);
        }
        return changed(copy -> copy.only = concerned);
    }

    /** Called before each wait; what it throws is logged and changes nothing. */
    public RetryBehavior<C> onRetry(Consumer<? super RetryContext<C>> callback) {
        Objects.requireNonNull(callback, "callback");
        return changed(copy -> copy.onRetry.add(callback));
    }

    /** Called when attempts, time or budget ran out; what it throws is logged and changes nothing. */
    public RetryBehavior<C> onRetryExhausted(Consumer<? super RetryContext<C>> callback) {
        Objects.requireNonNull(callback, "callback");
        return changed(copy -> copy.onRetryExhausted.add(callback));
    }

    /**
     * Handles messages strictly one after the other: those that arrive while one waits are held back, at most {@code limit}
     * of them. What is beyond is announced as dropped.
     */
    public RetryBehavior<C> inOrder(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit of messages held back must be at least 1, got " + limit);
        }
        return changed(copy -> copy.holdLimit = limit);
    }

    /** Where messages that are given up go. Called in the actor: one that is slow makes the actor slow to fail. */
    public RetryBehavior<C> deadLetters(DeadLetterSink<C> sink) {
        return deadLetters(sink, message -> UUID.randomUUID().toString());
    }

    /** {@link #deadLetters(DeadLetterSink)} with the idempotency key that a message has. */
    public RetryBehavior<C> deadLetters(DeadLetterSink<C> sink, java.util.function.Function<? super C, String> keyOf) {
        Objects.requireNonNull(sink, "sink");
        Objects.requireNonNull(keyOf, "keyOf");
        return changed(copy -> {
            copy.sink = sink;
            copy.keyOf = keyOf;
        });
    }

    /**
     * Puts a circuit breaker around each message, its retries included. While it is open, messages go to the dead-letter
     * sink, or are announced as dropped; the actor lives on.
     */
    public RetryBehavior<C> withCircuitBreaker(CircuitBreaker breaker) {
        Objects.requireNonNull(breaker, "breaker");
        return changed(copy -> {
            copy.breaker = breaker;
            copy.onRefused = null;
        });
    }

    /** {@link #withCircuitBreaker(CircuitBreaker)} where {@code refused} answers for the handler while it is open. */
    public RetryBehavior<C> withCircuitBreaker(
            CircuitBreaker breaker, java.util.function.Function<? super RetryContext<C>, Behavior<C>> refused) {
        Objects.requireNonNull(breaker, "breaker");
        Objects.requireNonNull(refused, "refused");
        return changed(copy -> {
            copy.breaker = breaker;
            copy.onRefused = refused;
        });
    }

    /** Allows retries only as far as this shared budget reaches. */
    public RetryBehavior<C> withBudget(RetryBudget budget) {
        Objects.requireNonNull(budget, "budget");
        return changed(copy -> copy.budget = budget);
    }

    /** Hears of messages that needed a retry; those that succeed at once are not told, and so cost nothing. */
    public RetryBehavior<C> listener(RetryListener listener) {
        Objects.requireNonNull(listener, "listener");
        return changed(copy -> copy.listeners.add(listener));
    }

    /** The clock that measures how long a message has been tried, for tests; the waits are the actor system's own. */
    public RetryBehavior<C> time(Time clock) {
        Objects.requireNonNull(clock, "clock");
        return changed(copy -> copy.time = clock);
    }

    /** The source of jitter, for tests. */
    public RetryBehavior<C> random(RandomGenerator generator) {
        Objects.requireNonNull(generator, "generator");
        return changed(copy -> copy.random = generator);
    }

    /** {@code behavior} with retries. */
    public Behavior<C> around(Behavior<C> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return around(attempt -> behavior);
    }

    /** The behavior that {@code factory} makes, with retries; its handlers can ask which attempt is under way. */
    public Behavior<C> around(java.util.function.Function<RetryAttempt, Behavior<C>> factory) {
        Objects.requireNonNull(factory, "factory");
        return Behaviors.setup(ctx -> {
            nameLogger(ctx);
            RetryingActorBehavior<C> retrying = new RetryingActorBehavior<>(this, RestartHandover.fetch(ctx));
            return retrying.start(ctx, factory.apply(retrying));
        });
    }

    /** Pekko names an actor's log after the class that is the first to ask for it, and that must not be one of ours. */
    private void nameLogger(ActorContext<C> ctx) {
        if (ctx.getLog().getName().startsWith(RetryBehavior.class.getName())) {
            ctx.setLoggerName(parts.logger);
        }
    }

    /**
     * What a handler returns when a result tells whether the attempt succeeded: the policy's {@code retryOnResult} is asked
     * first, and only a value that it accepts goes to {@code then}.
     */
    public static <C, T> Behavior<C> result(T value, Function<? super T, Behavior<C>> then) {
        return AwaitedResult.of(value, then);
    }

    /**
     * {@link #result} for a result that is not there yet. The actor goes on meanwhile; {@code then} runs in the actor. A stage
     * that fails is a failed attempt.
     */
    public static <C, T> Behavior<C> await(CompletionStage<? extends T> stage, Function<? super T, Behavior<C>> then) {
        return AwaitedResult.of(stage, then);
    }

    @Override
    public String toString() {
        return "retry of " + name() + ": " + parts.policy.get();
    }

    // ---- What RetryingActorBehavior needs ----

    String name() {
        return parts.name;
    }

    RetryPolicy policy() {
        return parts.policy.get();
    }

    /** Nothing that has to be asked or told at each message. */
    boolean isBare() {
        return parts.only == null && parts.holdLimit == 0 && parts.breaker == null && parts.budget == null;
    }

    /** Asked of every message: no iterator, and nothing to do without {@link #only}. */
    boolean concerns(C message) {
        List<Class<? extends C>> only = parts.only;
        for (int i = 0; only != null && i < only.size(); i++) {
            if (only.get(i).isInstance(message)) {
                return true;
            }
        }
        return only == null;
    }

    int holdLimit() {
        return parts.holdLimit;
    }

    DeadLetterSink<C> sink() {
        return parts.sink;
    }

    String keyOf(C message) {
        return parts.keyOf.apply(message);
    }

    CircuitBreaker breaker() {
        return parts.breaker;
    }

    java.util.function.Function<? super RetryContext<C>, Behavior<C>> onRefused() {
        return parts.onRefused;
    }

    RetryBudget budget() {
        return parts.budget;
    }

    List<Consumer<? super RetryContext<C>>> onRetry() {
        return parts.onRetry;
    }

    List<Consumer<? super RetryContext<C>>> onRetryExhausted() {
        return parts.onRetryExhausted;
    }

    List<RetryListener> listeners() {
        return parts.listeners;
    }

    Time time() {
        return parts.time;
    }

    RandomGenerator random() {
        return parts.random;
    }

    private RetryBehavior<C> changed(Consumer<Parts<C>> change) {
        Parts<C> copy = new Parts<>();
        copy.logger = parts.logger;
        copy.name = parts.name;
        copy.policy = parts.policy;
        copy.only = parts.only;
        copy.holdLimit = parts.holdLimit;
        copy.sink = parts.sink;
        copy.keyOf = parts.keyOf;
        copy.breaker = parts.breaker;
        copy.onRefused = parts.onRefused;
        copy.budget = parts.budget;
        copy.onRetry.addAll(parts.onRetry);
        copy.onRetryExhausted.addAll(parts.onRetryExhausted);
        copy.listeners.addAll(parts.listeners);
        copy.time = parts.time;
        copy.random = parts.random;
        change.accept(copy);
        return new RetryBehavior<>(copy);
    }

    /** Written only while a copy is made. */
    private static final class Parts<C> {
        private final List<Consumer<? super RetryContext<C>>> onRetry = new ArrayList<>();
        private final List<Consumer<? super RetryContext<C>>> onRetryExhausted = new ArrayList<>();
        private final List<RetryListener> listeners = new ArrayList<>();
        private Class<?> logger;
        private String name;
        private Supplier<RetryPolicy> policy;
        private List<Class<? extends C>> only;
        private int holdLimit;
        private DeadLetterSink<C> sink;
        private java.util.function.Function<? super C, String> keyOf;
        private CircuitBreaker breaker;
        private java.util.function.Function<? super RetryContext<C>, Behavior<C>> onRefused;
        private RetryBudget budget;
        private Time time = Time.system();
        private RandomGenerator random;
    }
}

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
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Retries the messages that the behavior of a typed actor fails at. The actor is not blocked: while a message waits for its
 * next attempt, the actor handles other messages (unless {@link #inOrder} is set). The number of attempts is kept with each
 * message. Immutable and thread-safe; each method that changes a setting returns a changed copy.
 *
 * <pre>{@code
 * Behavior<Command> resilient = RetryBehavior.of(Command.class, policy)
 *         .onRetryExhausted(failed -> failed.log().error("gave up on {}", failed.message(), failed.error()))
 *         .around(Behaviors.receive(Command.class).onMessage(CallApi.class, this::callApi).build());
 * }</pre>
 *
 * <p>When the policy gives up, the message goes to the dead-letter sink, if one is set, and the actor fails, so that its
 * supervisor decides: with {@link io.redrive.core.RetryExhaustedException} when attempts, time or budget ran out, with the
 * original exception when the policy does not retry that exception. Supervision belongs outside, around the behavior that
 * {@link #around(Behavior)} returns. Waiting messages survive a restart. When the actor stops, pending messages go to the
 * sink with the reason {@code cancelled}, or are published as dropped.
 *
 * <p>A handler that changes the actor's state and then throws sees the message again with the state changed: change state as
 * the last step of a handler.
 *
 * @param <C> the type of messages
 */
public final class RetryBehavior<C> {

    private final RetrySettings<C> settings;

    private RetryBehavior(RetrySettings<C> settings) {
        this.settings = settings;
    }

    /**
     * Retries under {@code policy}. In logs, metrics and dead letters the actors have the name of the class around the type
     * of messages, or of the type itself where no class is around; {@link #named} replaces this name.
     */
    public static <C> RetryBehavior<C> of(Class<C> messages, RetryPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return following(messages, () -> policy);
    }

    /**
     * {@link #of} with a policy that may change while actors live: {@code policy} is called when an actor starts and after
     * each failed attempt. When {@code policy} throws after a failed attempt, the actor logs a warning and keeps its previous
     * policy.
     */
    public static <C> RetryBehavior<C> following(Class<C> messages, Supplier<RetryPolicy> policy) {
        Objects.requireNonNull(policy, "policy");
        Class<?> enclosing = messages.getEnclosingClass();
        return new RetryBehavior<>(new RetrySettings<>(enclosing == null ? messages : enclosing, policy));
    }

    /**
     * Names the actors in logs, metrics and dead letters. The name is that of a kind of actor, because each name becomes a
     * tag of metrics.
     *
     * @throws IllegalArgumentException if {@code name} is blank
     */
    public RetryBehavior<C> named(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("retry behavior name must not be blank, got '" + name + "'");
        }
        return changed(copy -> copy.name = name);
    }

    /**
     * Retries only messages of {@code types}; by default all messages are retried. Messages of further types reach the inner
     * behavior directly: they are not refused by a circuit breaker, and not held by {@link #inOrder}.
     */
    @SafeVarargs
    public final RetryBehavior<C> only(Class<? extends C>... types) {
        List<Class<? extends C>> retried = new ArrayList<>();
        for (Class<? extends C> type : types) {
            retried.add(type);
        }
        return changed(copy -> copy.only = retried);
    }

    /** Adds a callback for each retry, called before the wait. An exception from the callback is only logged. */
    public RetryBehavior<C> onRetry(Consumer<? super RetryContext<C>> callback) {
        Objects.requireNonNull(callback, "callback");
        return changed(copy -> copy.onRetry.add(callback));
    }

    /**
     * Adds a callback for messages whose attempts, time or budget ran out. An exception from the callback is only logged.
     */
    public RetryBehavior<C> onRetryExhausted(Consumer<? super RetryContext<C>> callback) {
        Objects.requireNonNull(callback, "callback");
        return changed(copy -> copy.onRetryExhausted.add(callback));
    }

    /**
     * Handles messages strictly in the order of their arrival: messages that arrive while another message is pending are held,
     * at most {@code limit} of them. Messages beyond the limit are published as dropped. By default no message is held.
     *
     * @throws IllegalArgumentException if {@code limit} is less than 1
     */
    public RetryBehavior<C> inOrder(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit of held messages must be at least 1, got " + limit);
        }
        return changed(copy -> copy.holdLimit = limit);
    }

    /**
     * Writes given-up messages to {@code sink}, each under a random idempotency key. The sink is called in the actor, so a
     * slow sink delays the actor. By default there is no sink.
     */
    public RetryBehavior<C> deadLetters(DeadLetterSink<C> sink) {
        return deadLetters(sink, RetrySettings::randomKey);
    }

    /** {@link #deadLetters(DeadLetterSink)} with the idempotency key that {@code keyOf} returns for a message. */
    public RetryBehavior<C> deadLetters(DeadLetterSink<C> sink, java.util.function.Function<? super C, String> keyOf) {
        Objects.requireNonNull(sink, "sink");
        Objects.requireNonNull(keyOf, "keyOf");
        return changed(copy -> {
            copy.sink = sink;
            copy.keyOf = keyOf;
        });
    }

    /**
     * Puts a circuit breaker around each message and its retries: the breaker counts a message once, when it succeeds or is
     * given up. While the breaker is open, messages are refused: they go to the dead-letter sink, or are published as dropped,
     * and the actor does not fail. Replaces an earlier breaker.
     */
    public RetryBehavior<C> withCircuitBreaker(CircuitBreaker breaker) {
        Objects.requireNonNull(breaker, "breaker");
        return changed(copy -> {
            copy.breaker = breaker;
            copy.onRefused = null;
        });
    }

    /**
     * {@link #withCircuitBreaker(CircuitBreaker)} where {@code onRefused} handles refused messages and returns the next
     * behavior; a refused message is then neither written to the dead-letter sink nor published as dropped.
     */
    public RetryBehavior<C> withCircuitBreaker(
            CircuitBreaker breaker, java.util.function.Function<? super RetryContext<C>, Behavior<C>> onRefused) {
        Objects.requireNonNull(breaker, "breaker");
        Objects.requireNonNull(onRefused, "onRefused");
        return changed(copy -> {
            copy.breaker = breaker;
            copy.onRefused = onRefused;
        });
    }

    /**
     * Retries only while {@code budget}, which may be shared with further callers of the same downstream, has tokens. Without
     * a token, the message is given up with the reason {@code retry_budget_exhausted}.
     */
    public RetryBehavior<C> withBudget(RetryBudget budget) {
        Objects.requireNonNull(budget, "budget");
        return changed(copy -> copy.budget = budget);
    }

    /**
     * Adds a listener for messages with a failed attempt. A message without a failed attempt is not reported, and costs no
     * more with a listener.
     */
    public RetryBehavior<C> listener(RetryListener listener) {
        Objects.requireNonNull(listener, "listener");
        return changed(copy -> copy.listeners.add(listener));
    }

    /** Replaces the clock that measures the time since the first attempt, for tests. Waits are timed by the actor system. */
    public RetryBehavior<C> time(Time clock) {
        Objects.requireNonNull(clock, "clock");
        return changed(copy -> copy.time = clock);
    }

    /** Replaces the random source of jitter, for tests. */
    public RetryBehavior<C> random(RandomGenerator generator) {
        Objects.requireNonNull(generator, "generator");
        return changed(copy -> copy.random = () -> generator);
    }

    /** Returns {@code behavior} with retries. */
    public Behavior<C> around(Behavior<C> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return around(attempt -> behavior);
    }

    /**
     * Returns the behavior created by {@code factory}, with retries. {@code factory} runs at each start and restart of the
     * actor; handlers read the number of the current attempt from the given {@link RetryAttempt}.
     */
    public Behavior<C> around(java.util.function.Function<RetryAttempt, Behavior<C>> factory) {
        Objects.requireNonNull(factory, "factory");
        return Behaviors.setup(ctx -> {
            nameLogger(ctx);
            RetryingActorBehavior<C> retrying =
                    new RetryingActorBehavior<>(settings, RestartHandover.takeOrCreate(ctx, settings.holdLimit));
            return retrying.start(ctx, factory.apply(retrying));
        });
    }

    /** Pekko names the log of an actor after the first class asking for the log, which would be a class of this package. */
    private void nameLogger(ActorContext<C> ctx) {
        if (ctx.getLog().getName().startsWith(RetryBehavior.class.getName())) {
            ctx.setLoggerName(settings.logger);
        }
    }

    /**
     * Returned by a handler whose result tells whether the attempt succeeded. A value that matches the policy's
     * {@code retryOnResult} is a failed attempt; any other value goes to {@code then}, which returns the next behavior.
     */
    public static <C, T extends @Nullable Object> Behavior<C> result(T value, Function<? super T, Behavior<C>> then) {
        return new AwaitedResult.Ready<>(value, then);
    }

    /**
     * {@link #result} for a value that {@code stage} provides later. The actor handles other messages meanwhile; {@code then}
     * runs in the actor. A stage that completes with an exception is a failed attempt.
     */
    public static <C, T extends @Nullable Object> Behavior<C> await(
            CompletionStage<? extends T> stage, Function<? super T, Behavior<C>> then) {
        return new AwaitedResult.Later<>(stage, then);
    }

    @Override
    public String toString() {
        return "retry of " + settings.name + ": " + settings.policy();
    }

    private RetryBehavior<C> changed(Consumer<RetrySettings<C>> change) {
        RetrySettings<C> copy = new RetrySettings<>(settings);
        change.accept(copy);
        return new RetryBehavior<>(copy);
    }
}

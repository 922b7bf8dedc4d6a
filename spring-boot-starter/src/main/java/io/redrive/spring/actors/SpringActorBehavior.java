package io.redrive.spring.actors;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.RetryPolicy;
import io.redrive.pekko.RetryAttempt;
import io.redrive.pekko.RetryBehavior;
import io.redrive.pekko.RetryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function2;
import org.apache.pekko.japi.function.Function3;
import org.jspecify.annotations.Nullable;

/**
 * The behavior created by a {@link SpringActor}: handlers of messages, with optional retries, circuit breaker and
 * supervision around the handlers. Without these options, the behavior equals the one of Pekko's own builder.
 *
 * @param <C> the type of messages
 */
public final class SpringActorBehavior<C> {

    private final Behavior<C> behavior;
    private final List<UnaryOperator<Behavior<C>>> supervision;

    private SpringActorBehavior(Behavior<C> behavior, List<UnaryOperator<Behavior<C>>> supervision) {
        this.behavior = behavior;
        this.supervision = List.copyOf(supervision);
    }

    /** Starts a behavior made of handlers. */
    public static <C> Builder<C> builder(Class<C> messages, SpringActorContext ctx) {
        return new Builder<>(messages, ctx);
    }

    /** Wraps a given behavior without any change. */
    public static <C> SpringActorBehavior<C> of(Behavior<C> behavior) {
        return new SpringActorBehavior<>(Objects.requireNonNull(behavior, "behavior"), List.of());
    }

    /** Returns the behavior without supervision, for Pekko's test kits. */
    public Behavior<C> behavior() {
        return behavior;
    }

    boolean isSupervised() {
        return !supervision.isEmpty();
    }

    /** Returns {@code any} under the supervision of this behavior; the first strategy is the innermost. */
    Behavior<C> supervise(Behavior<C> any) {
        Behavior<C> supervised = any;
        for (UnaryOperator<Behavior<C>> supervisor : supervision) {
            supervised = supervisor.apply(supervised);
        }
        return supervised;
    }

    /** Collects handlers, retries, circuit breaker and supervision, in any order. A builder builds a single behavior. */
    public static final class Builder<C> {

        /**
         * The policy for a breaker without retries: each failure counts, and its exception reaches the supervisor unchanged.
         */
        private static final RetryPolicy NO_RETRY =
                RetryPolicy.builder().maxAttempts(1).retryNone().build();

        /** The attempt of a handler without retries. */
        private static final RetryAttempt ONLY_ATTEMPT = new OnlyAttempt(1, 1);

        private record OnlyAttempt(int number, int maxAttempts) implements RetryAttempt {}

        private final Class<C> messages;
        private final SpringActorContext ctx;
        private final List<Part<C>> parts = new ArrayList<>();
        private @Nullable Supplier<RetryPolicy> policy;
        private UnaryOperator<RetryBehavior<C>> retrySettings = UnaryOperator.identity();
        private @Nullable UnaryOperator<RetryBehavior<C>> breaker;
        private final List<UnaryOperator<Behavior<C>>> supervision = new ArrayList<>();

        private Builder(Class<C> messages, SpringActorContext ctx) {
            this.messages = Objects.requireNonNull(messages, "messages");
            this.ctx = Objects.requireNonNull(ctx, "ctx");
        }

        /** Adds a handler to Pekko's builder when the actor starts. */
        @FunctionalInterface
        private interface Part<C> {
            BehaviorBuilder<C> addTo(BehaviorBuilder<C> builder, ActorContext<C> context, RetryAttempt attempt);
        }

        /**
         * Retries messages whose handler throws. By default messages are not retried. Replaces an earlier {@code withRetry}.
         */
        public Builder<C> withRetry(RetryPolicy retryPolicy) {
            return withRetry(retryPolicy, UnaryOperator.identity());
        }

        /**
         * {@link #withRetry(RetryPolicy)} with further settings of the retry, for example callbacks, dead letters or order.
         */
        public Builder<C> withRetry(RetryPolicy retryPolicy, UnaryOperator<RetryBehavior<C>> settings) {
            Objects.requireNonNull(retryPolicy, "policy");
            return following(() -> retryPolicy, settings);
        }

        /**
         * Retries under the policy {@code redrive.policies.NAME}, or the preset {@code NAME}. A change of the policy at run
         * time holds from the next failed attempt on.
         *
         * @throws IllegalArgumentException if no policy has this name
         */
        public Builder<C> withRetry(String policyName) {
            return withRetry(policyName, UnaryOperator.identity());
        }

        /** {@link #withRetry(String)} with further settings of the retry, for example callbacks, dead letters or order. */
        public Builder<C> withRetry(String policyName, UnaryOperator<RetryBehavior<C>> settings) {
            ctx.policy(policyName);
            return following(() -> ctx.policy(policyName), settings);
        }

        private Builder<C> following(Supplier<RetryPolicy> source, UnaryOperator<RetryBehavior<C>> settings) {
            policy = source;
            retrySettings = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /**
         * Refuses messages while the breaker is open: refused messages go to the dead-letter sink, or are published as
         * dropped.
         */
        public Builder<C> withCircuitBreaker(CircuitBreaker circuitBreaker) {
            Objects.requireNonNull(circuitBreaker, "circuitBreaker");
            breaker = retry -> retry.withCircuitBreaker(circuitBreaker);
            return this;
        }

        /** {@link #withCircuitBreaker(CircuitBreaker)} where {@code refused} handles refused messages. */
        public Builder<C> withCircuitBreaker(
                CircuitBreaker circuitBreaker, Function<? super RetryContext<C>, Behavior<C>> refused) {
            Objects.requireNonNull(circuitBreaker, "circuitBreaker");
            Objects.requireNonNull(refused, "refused");
            breaker = retry -> retry.withCircuitBreaker(circuitBreaker, refused);
            return this;
        }

        /**
         * {@link #withCircuitBreaker(CircuitBreaker)} with the breaker {@code redrive.breakers.NAME}. @throws
         * IllegalArgumentException if no breaker has this name
         */
        public Builder<C> withCircuitBreaker(String breakerName) {
            return withCircuitBreaker(ctx.breaker(breakerName));
        }

        /**
         * Supervises the actor, outside of all retries. By default a failed actor stops. A restart calls
         * {@link SpringActor#create} again.
         */
        public Builder<C> withSupervision(SupervisorStrategy strategy) {
            return withSupervision(Exception.class, strategy);
        }

        /**
         * Supervises failures of the type {@code failure}; the first matching strategy applies.
         * {@code RetryExhaustedException} with {@code SupervisorStrategy.resume()} gives up the message and keeps the actor
         * with its state.
         */
        public Builder<C> withSupervision(Class<? extends Throwable> failure, SupervisorStrategy strategy) {
            Objects.requireNonNull(failure, "failure");
            Objects.requireNonNull(strategy, "strategy");
            supervision.add(behavior -> Behaviors.supervise(behavior).onFailure(failure, strategy));
            return this;
        }

        /** Adds a handler for messages of {@code type}; the first handler whose type matches gets the message. */
        public <M extends C> Builder<C> onMessage(Class<M> type, Function2<ActorContext<C>, M, Behavior<C>> handler) {
            Objects.requireNonNull(handler, "handler");
            return onMessage(type, (context, message, attempt) -> handler.apply(context, message));
        }

        /** {@link #onMessage(Class, Function2)} with the current attempt as a third argument of the handler. */
        public <M extends C> Builder<C> onMessage(
                Class<M> type, Function3<ActorContext<C>, M, RetryAttempt, Behavior<C>> handler) {
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(handler, "handler");
            parts.add((builder, context, attempt) ->
                    builder.onMessage(type, message -> handler.apply(context, message, attempt)));
            return this;
        }

        /** Adds a handler for messages without a handler of their type; add this handler last. */
        public Builder<C> onAnyMessage(Function2<ActorContext<C>, C, Behavior<C>> handler) {
            Objects.requireNonNull(handler, "handler");
            parts.add((builder, context, attempt) -> builder.onAnyMessage(message -> handler.apply(context, message)));
            return this;
        }

        /** Adds a handler for signals, for example {@code PostStop}. */
        public <S extends Signal> Builder<C> onSignal(
                Class<S> type, Function2<ActorContext<C>, S, Behavior<C>> handler) {
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(handler, "handler");
            parts.add((builder, context, attempt) -> builder.onSignal(type, signal -> handler.apply(context, signal)));
            return this;
        }

        /**
         * Builds the behavior.
         *
         * @throws IllegalStateException if no handler was added
         */
        public SpringActorBehavior<C> build() {
            if (parts.isEmpty()) {
                throw new IllegalStateException(ctx + " has no handlers; add one with onMessage, or end with around");
            }
            List<Part<C>> all = List.copyOf(parts);
            return around(attempt -> Behaviors.setup(context -> {
                BehaviorBuilder<C> builder = Behaviors.receive(messages);
                for (Part<C> part : all) {
                    builder = part.addTo(builder, context, attempt);
                }
                return builder.build();
            }));
        }

        /** Builds the behavior around a given behavior, which takes the place of the handlers. */
        public SpringActorBehavior<C> around(Behavior<C> behavior) {
            Objects.requireNonNull(behavior, "behavior");
            return around(attempt -> behavior);
        }

        private SpringActorBehavior<C> around(Function<RetryAttempt, Behavior<C>> inner) {
            if (policy == null && breaker == null) {
                return new SpringActorBehavior<>(inner.apply(ONLY_ATTEMPT), supervision);
            }
            return new SpringActorBehavior<>(retry().around(inner), supervision);
        }

        private RetryBehavior<C> retry() {
            Supplier<RetryPolicy> source = policy == null ? () -> NO_RETRY : policy;
            RetryBehavior<C> retry = RetryBehavior.following(messages, source)
                    .named(ctx.kind())
                    .time(ctx.dependencies().time());
            for (var listener : ctx.dependencies().listeners()) {
                retry = retry.listener(listener);
            }
            RetryBehavior<C> set = retrySettings.apply(retry);
            return breaker == null ? set : breaker.apply(set);
        }
    }
}

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

/**
 * What a {@link SpringActor} makes: handlers of messages, and, where asked for, retries, a circuit breaker and supervision
 * around them. Without any of these it is the behavior that Pekko's own builder makes, with nothing around it.
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

    /** Starts from handlers. */
    public static <C> Builder<C> builder(Class<C> messages, SpringActorContext ctx) {
        return new Builder<>(messages, ctx);
    }

    /** A behavior that was made another way, as it is. */
    public static <C> SpringActorBehavior<C> of(Behavior<C> behavior) {
        return new SpringActorBehavior<>(Objects.requireNonNull(behavior, "behavior"), List.of());
    }

    /** For Pekko's test kits. Supervision is not part of it: a restart makes a new one. */
    public Behavior<C> behavior() {
        return behavior;
    }

    boolean isSupervised() {
        return !supervision.isEmpty();
    }

    /** {@code any} under the supervision of this one, the first that was given innermost. */
    Behavior<C> supervise(Behavior<C> any) {
        Behavior<C> supervised = any;
        for (UnaryOperator<Behavior<C>> supervisor : supervision) {
            supervised = supervisor.apply(supervised);
        }
        return supervised;
    }

    /** Collects handlers and what goes around them, in any order. For one use. */
    public static final class Builder<C> {

        /** A breaker alone counts every failure, and leaves it to the supervisor as it is. */
        private static final RetryPolicy NO_RETRY =
                RetryPolicy.builder().maxAttempts(1).retryNone().build();

        /** Without a retry the first attempt is the last. */
        private static final RetryAttempt ONLY_ATTEMPT = new OnlyAttempt(1, 1);

        private record OnlyAttempt(int number, int maxAttempts) implements RetryAttempt {}

        private final Class<C> messages;
        private final SpringActorContext ctx;
        private final List<Part<C>> parts = new ArrayList<>();
        private Supplier<RetryPolicy> policy;
        private UnaryOperator<RetryBehavior<C>> retrySettings = UnaryOperator.identity();
        private UnaryOperator<RetryBehavior<C>> breaker;
        private final List<UnaryOperator<Behavior<C>>> supervision = new ArrayList<>();

        private Builder(Class<C> messages, SpringActorContext ctx) {
            this.messages = Objects.requireNonNull(messages, "messages");
            this.ctx = Objects.requireNonNull(ctx, "ctx");
        }

        /** Something that Pekko's builder is told once the actor is there. */
        @FunctionalInterface
        private interface Part<C> {
            BehaviorBuilder<C> addTo(BehaviorBuilder<C> builder, ActorContext<C> context, RetryAttempt attempt);
        }

        /** Retries messages whose handler throws. */
        public Builder<C> withRetry(RetryPolicy retryPolicy) {
            return withRetry(retryPolicy, UnaryOperator.identity());
        }

        /** {@link #withRetry(RetryPolicy)} with callbacks, dead letters, order and whatever else a retry can have. */
        public Builder<C> withRetry(RetryPolicy retryPolicy, UnaryOperator<RetryBehavior<C>> settings) {
            Objects.requireNonNull(retryPolicy, "policy");
            return following(() -> retryPolicy, settings);
        }

        /** Retries by the policy {@code redrive.policies.NAME}, or the preset of that name; follows it when it changes. */
        public Builder<C> withRetry(String policyName) {
            return withRetry(policyName, UnaryOperator.identity());
        }

        /** {@link #withRetry(String)} with callbacks, dead letters, order and whatever else a retry can have. */
        public Builder<C> withRetry(String policyName, UnaryOperator<RetryBehavior<C>> settings) {
            ctx.policy(policyName);
            return following(() -> ctx.policy(policyName), settings);
        }

        private Builder<C> following(Supplier<RetryPolicy> source, UnaryOperator<RetryBehavior<C>> settings) {
            policy = source;
            retrySettings = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /** Lets no message through while the breaker is open; those are announced as dropped, or go to the dead letters. */
        public Builder<C> withCircuitBreaker(CircuitBreaker circuitBreaker) {
            Objects.requireNonNull(circuitBreaker, "circuitBreaker");
            breaker = retry -> retry.withCircuitBreaker(circuitBreaker);
            return this;
        }

        /** {@link #withCircuitBreaker(CircuitBreaker)} where {@code refused} answers while it is open. */
        public Builder<C> withCircuitBreaker(
                CircuitBreaker circuitBreaker, Function<? super RetryContext<C>, Behavior<C>> refused) {
            Objects.requireNonNull(circuitBreaker, "circuitBreaker");
            Objects.requireNonNull(refused, "refused");
            breaker = retry -> retry.withCircuitBreaker(circuitBreaker, refused);
            return this;
        }

        /** {@link #withCircuitBreaker(CircuitBreaker)} with the breaker {@code redrive.breakers.NAME}. */
        public Builder<C> withCircuitBreaker(String breakerName) {
            return withCircuitBreaker(ctx.breaker(breakerName));
        }

        /** What to do when the actor fails, outside of all retries; stopped by default. A restart creates anew. */
        public Builder<C> withSupervision(SupervisorStrategy strategy) {
            return withSupervision(Exception.class, strategy);
        }

        /**
         * What to do when the actor fails with such an exception. {@code RetryExhaustedException} with
         * {@code SupervisorStrategy.resume()} gives up the message and goes on as if nothing had happened. Of several the
         * first that fits.
         */
        public Builder<C> withSupervision(Class<? extends Throwable> failure, SupervisorStrategy strategy) {
            Objects.requireNonNull(failure, "failure");
            Objects.requireNonNull(strategy, "strategy");
            supervision.add(behavior -> Behaviors.supervise(behavior).onFailure(failure, strategy));
            return this;
        }

        /** Handles messages of a type; of several handlers the first whose type fits. */
        public <M extends C> Builder<C> onMessage(Class<M> type, Function2<ActorContext<C>, M, Behavior<C>> handler) {
            Objects.requireNonNull(handler, "handler");
            return onMessage(type, (context, message, attempt) -> handler.apply(context, message));
        }

        /** {@link #onMessage(Class, Function2)} for a handler that wants to know which attempt this is. */
        public <M extends C> Builder<C> onMessage(
                Class<M> type, Function3<ActorContext<C>, M, RetryAttempt, Behavior<C>> handler) {
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(handler, "handler");
            parts.add((builder, context, attempt) ->
                    builder.onMessage(type, message -> handler.apply(context, message, attempt)));
            return this;
        }

        /** Handles what no other handler took. */
        public Builder<C> onAnyMessage(Function2<ActorContext<C>, C, Behavior<C>> handler) {
            Objects.requireNonNull(handler, "handler");
            parts.add((builder, context, attempt) -> builder.onAnyMessage(message -> handler.apply(context, message)));
            return this;
        }

        /** Handles signals such as {@code PostStop}. */
        public <S extends Signal> Builder<C> onSignal(
                Class<S> type, Function2<ActorContext<C>, S, Behavior<C>> handler) {
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(handler, "handler");
            parts.add((builder, context, attempt) -> builder.onSignal(type, signal -> handler.apply(context, signal)));
            return this;
        }

        /** The handlers with what was put around them. */
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

        /** A behavior that was made another way, in place of handlers, with what was put around it. */
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

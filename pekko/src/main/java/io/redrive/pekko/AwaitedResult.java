package io.redrive.pekko;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.japi.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a handler returns instead of its next behavior when a result decides whether the attempt succeeded. Never becomes the
 * behavior of an actor: the {@link RetryingActorBehavior} around the handler takes the result and keeps the inner behavior.
 */
abstract sealed class AwaitedResult<C, T extends @Nullable Object> extends ExtensibleBehavior<C> {

    private final Function<? super T, Behavior<C>> then;

    private AwaitedResult(Function<? super T, Behavior<C>> then) {
        this.then = Objects.requireNonNull(then, "then");
    }

    /**
     * Returns the awaited result in {@code next}, or null. Interceptors around the handler wrap an awaited result like any
     * behavior; the search looks inside.
     */
    @SuppressWarnings("unchecked")
    static <C> @Nullable AwaitedResult<C, ?> in(Behavior<C> next) {
        if (next instanceof AwaitedResult<?, ?>) {
            return (AwaitedResult<C, ?>) next;
        }
        @Nullable AwaitedResult<?, ?>[] found = {null};
        Behavior.existsInStack(next, behavior -> {
            found[0] = behavior instanceof AwaitedResult<?, ?> awaited ? awaited : null;
            return found[0] != null;
        });
        return (AwaitedResult<C, ?>) found[0];
    }

    /** Runs the continuation of the handler with a value that the policy accepted. */
    @SuppressWarnings("unchecked")
    final Behavior<C> accept(@Nullable Object value) throws Exception {
        return then.apply((T) value);
    }

    /** A result that was ready when the handler returned. */
    static final class Ready<C, T extends @Nullable Object> extends AwaitedResult<C, T> {
        private final T value;

        Ready(T value, Function<? super T, Behavior<C>> then) {
            super(then);
            this.value = value;
        }

        T value() {
            return value;
        }
    }

    /** A result that a {@code CompletionStage} provides later. */
    static final class Later<C, T extends @Nullable Object> extends AwaitedResult<C, T> {
        private final CompletionStage<? extends T> stage;

        Later(CompletionStage<? extends T> stage, Function<? super T, Behavior<C>> then) {
            super(then);
            this.stage = Objects.requireNonNull(stage, "stage");
        }

        CompletionStage<? extends T> stage() {
            return stage;
        }
    }

    @Override
    public Behavior<C> receive(TypedActorContext<C> ctx, C message) {
        throw new IllegalStateException("the result of an earlier message was left unused: RetryBehavior.await and"
                + " RetryBehavior.result work only inside a behavior with RetryBehavior.around it; got message of type "
                + message.getClass().getSimpleName());
    }

    @Override
    public Behavior<C> receiveSignal(TypedActorContext<C> ctx, Signal signal) {
        return this;
    }
}

package io.redrive.pekko;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.japi.function.Function;

/**
 * What a handler returns instead of its next behavior when a result decides whether the attempt succeeded. Never becomes the
 * behavior of an actor: the {@link RetryingActorBehavior} around the handler takes it and keeps the behavior as it was.
 */
final class AwaitedResult<C, T> extends ExtensibleBehavior<C> {

    private final CompletionStage<? extends T> stage;
    private final T value;
    private final Function<? super T, Behavior<C>> then;

    private AwaitedResult(CompletionStage<? extends T> stage, T value, Function<? super T, Behavior<C>> then) {
        this.stage = stage;
        this.value = value;
        this.then = Objects.requireNonNull(then, "then");
    }

    static <C, T> AwaitedResult<C, T> of(CompletionStage<? extends T> stage, Function<? super T, Behavior<C>> then) {
        return new AwaitedResult<>(Objects.requireNonNull(stage, "stage"), null, then);
    }

    static <C, T> AwaitedResult<C, T> of(T value, Function<? super T, Behavior<C>> then) {
        return new AwaitedResult<>(null, value, then);
    }

    /**
     * What {@code next} awaits, or null. Interceptors inside of ours see an awaited result as a behavior like any other and
     * wrap it, so it is looked for under them too.
     */
    @SuppressWarnings("unchecked")
    static <C> AwaitedResult<C, ?> in(Behavior<C> next) {
        if (next instanceof AwaitedResult<?, ?>) {
            return (AwaitedResult<C, ?>) next;
        }
        AwaitedResult<?, ?>[] found = {null};
        Behavior.existsInStack(next, behavior -> {
            found[0] = behavior instanceof AwaitedResult<?, ?> awaited ? awaited : null;
            return found[0] != null;
        });
        return (AwaitedResult<C, ?>) found[0];
    }

    /** Null when the value is there already. */
    CompletionStage<? extends T> stage() {
        return stage;
    }

    /** The value that is there already. */
    Arrived<C> now() {
        return new Arrived<>(this, value);
    }

    /** A value, and what to do with it once the policy accepts it. */
    record Arrived<C>(AwaitedResult<C, ?> awaited, Object value) {

        Behavior<C> accept() throws Exception {
            return apply(awaited, value);
        }

        @SuppressWarnings("unchecked")
        private static <C, T> Behavior<C> apply(AwaitedResult<C, T> awaited, Object value) throws Exception {
            return awaited.then.apply((T) value);
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

package io.redrive.pekko;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor.ReceiveTarget;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.TypedActorContext;

/** The behavior that a message before in the same sweep has made, to hand the next one to. */
record Onto<C>(Behavior<C> behavior) implements ReceiveTarget<C> {

    @Override
    public Behavior<C> apply(TypedActorContext<?> ctx, C message) {
        return Behavior.interpretMessage(behavior, typed(ctx), message);
    }

    @Override
    public void signalRestart(TypedActorContext<?> ctx) {
        Behavior.interpretSignal(behavior, typed(ctx), PreRestart.instance());
    }

    @SuppressWarnings("unchecked")
    private static <C> TypedActorContext<C> typed(TypedActorContext<?> ctx) {
        return (TypedActorContext<C>) ctx;
    }
}

package io.redrive.pekko;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/**
 * Hands the waiting messages of a restarted actor to its next incarnation. A restart keeps the mailbox, and waiting messages
 * are no more to blame for the failure than messages in the mailbox. Keys are weak: an actor stopped while the supervisor
 * backs off has no next incarnation to take the messages.
 */
final class RestartHandover {

    private static final Map<ActorRef, WaitingMessages<?>> LEFT = Collections.synchronizedMap(new WeakHashMap<>());

    private RestartHandover() {}

    /** Leaves {@code waiting} for the next incarnation of {@code actor}. */
    static void leave(TypedActorContext<?> actor, WaitingMessages<?> waiting) {
        LEFT.put(keyOf(actor), waiting);
    }

    /** Takes the messages left by the previous incarnation; without any, returns a new empty collection. */
    @SuppressWarnings("unchecked")
    static <C> WaitingMessages<C> takeOrCreate(TypedActorContext<?> actor, int holdLimit) {
        WaitingMessages<C> left = LEFT.isEmpty() ? null : (WaitingMessages<C>) LEFT.remove(keyOf(actor));
        return left == null ? new WaitingMessages<>(holdLimit) : left;
    }

    /** The classic reference, which lives as long as the actor; typed references are created on demand. */
    private static ActorRef keyOf(TypedActorContext<?> actor) {
        return Adapter.toClassic(actor.asJava().getSelf());
    }
}

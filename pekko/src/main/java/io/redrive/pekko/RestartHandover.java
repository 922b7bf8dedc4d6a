package io.redrive.pekko;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/**
 * Hands what an actor has waiting to its next life when it is restarted. A message that waits for its retry is as innocent of
 * the failure of another as one in the mailbox, and that one survives too. Weak, because an actor that is stopped while its
 * supervisor backs off never gets to fetch what is here.
 */
final class RestartHandover {

    private static final Map<ActorRef, WaitingMessages<?>> KEPT = Collections.synchronizedMap(new WeakHashMap<>());

    private RestartHandover() {}

    static void leave(TypedActorContext<?> actor, WaitingMessages<?> waiting) {
        KEPT.put(keyOf(actor), waiting);
    }

    /** What the life before left, or null. */
    @SuppressWarnings("unchecked")
    static <C> WaitingMessages<C> fetch(TypedActorContext<?> actor) {
        return KEPT.isEmpty() ? null : (WaitingMessages<C>) KEPT.remove(keyOf(actor));
    }

    /** The classic reference: it lives as long as the actor, while typed ones are made as needed. */
    private static ActorRef keyOf(TypedActorContext<?> actor) {
        return Adapter.toClassic(actor.asJava().getSelf());
    }
}

package io.redrive.spring.actors;

import io.redrive.pekko.ActorFamily;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.pattern.StatusReply;

/**
 * A reference to the actor with a bean type and an id. The actor need not exist: the first message creates the actor, also
 * after a stop. The reference is cheap to create and holds no state of the actor. Thread-safe.
 *
 * @param <C> the type of messages
 */
public final class SpringActorRef<C> {

    private final ActorFamily<C> family;
    private final String id;
    private final Duration askTimeout;

    SpringActorRef(ActorFamily<C> family, String id, Duration askTimeout) {
        this.family = family;
        this.id = id;
        this.askTimeout = askTimeout;
    }

    /** The id of the actor. */
    public String id() {
        return id;
    }

    /** Sends a message. */
    public void tell(C message) {
        family.tell(id, message);
    }

    /**
     * Sends a message and returns the answer. The stage fails with a {@code TimeoutException} after
     * {@code redrive.actors.ask-timeout}. Set a timeout longer than all attempts of the message together: an actor does not
     * notice the timeout of an ask, and goes on retrying.
     */
    public <R> CompletionStage<R> ask(Function<ActorRef<R>, ? extends C> message) {
        return ask(message, askTimeout);
    }

    /** {@link #ask(Function)} with the timeout {@code limit}. */
    public <R> CompletionStage<R> ask(Function<ActorRef<R>, ? extends C> message, Duration limit) {
        return family.ask(id, message, limit);
    }

    /**
     * {@link #ask(Function)} for actors that answer with a value or an error; an error fails the stage. An actor can answer
     * with an error when a message is given up.
     */
    public <R> CompletionStage<R> askWithStatus(Function<ActorRef<StatusReply<R>>, ? extends C> message) {
        return family.askWithStatus(id, message, askTimeout);
    }

    /** Returns Pekko's reference, for example to watch the actor; creates a missing actor. */
    public CompletionStage<ActorRef<C>> ref() {
        return family.ref(id, askTimeout);
    }

    /** Stops the actor after its current message; without an actor, does nothing. */
    public void stop() {
        family.stop(id);
    }

    @Override
    public String toString() {
        return family + "/" + id;
    }
}

package io.redrive.spring.actors;

import io.redrive.pekko.ActorFamily;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.pattern.StatusReply;

/**
 * An actor by its bean type and id, whether it is there yet or not: the first message makes it, and one that stopped is made
 * anew. Light to make; nothing of the actor is held. Thread-safe.
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
     * Sends a message and gives the answer, within {@code redrive.actors.ask-timeout}. That should be longer than all attempts
     * of the message together: an actor does not know that nobody waits any more.
     */
    public <R> CompletionStage<R> ask(Function<ActorRef<R>, ? extends C> message) {
        return ask(message, askTimeout);
    }

    /** {@link #ask(Function)} with a limit of its own. */
    public <R> CompletionStage<R> ask(Function<ActorRef<R>, ? extends C> message, Duration limit) {
        return family.ask(id, message, limit);
    }

    /**
     * {@link #ask(Function)} for actors that answer with a value or an error; the error fails the stage. The way to tell who
     * waits that a message was given up.
     */
    public <R> CompletionStage<R> askWithStatus(Function<ActorRef<StatusReply<R>>, ? extends C> message) {
        return family.askWithStatus(id, message, askTimeout);
    }

    /** The reference that Pekko knows, for example to watch it; makes the actor if it is not there. */
    public CompletionStage<ActorRef<C>> ref() {
        return family.ref(id, askTimeout);
    }

    /** Stops the actor, if it is there, after the message it is at. */
    public void stop() {
        family.stop(id);
    }

    @Override
    public String toString() {
        return family + "/" + id;
    }
}

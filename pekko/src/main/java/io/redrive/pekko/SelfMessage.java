package io.redrive.pekko;

import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.TypedActorContext;

/**
 * A message of a retrying actor to itself; never leaves the JVM. A class and not an interface, because the actor checks the
 * type of every message, and {@code instanceof} is cheaper with a class.
 */
abstract sealed class SelfMessage<C> implements NoSerializationVerificationNeeded
        permits PendingMessage, StageEnded, SelfMessage.ReleaseHeld {

    /** Calls the method of {@code actor} for this kind of self-message. */
    abstract Behavior<C> arriveAt(RetryingActorBehavior<C> actor, TypedActorContext<C> ctx);

    /** Asks the actor to handle its held messages. */
    static final class ReleaseHeld<C> extends SelfMessage<C> {
        @Override
        Behavior<C> arriveAt(RetryingActorBehavior<C> actor, TypedActorContext<C> ctx) {
            return actor.releaseHeld(ctx);
        }

        @Override
        public String toString() {
            return "release of held messages";
        }
    }
}

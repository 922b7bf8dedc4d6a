package io.redrive.pekko;

import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.TypedActorContext;

/**
 * What a retrying actor sends to itself. Never leaves the JVM. A class and not an interface: every message that arrives is
 * asked whether it is one, and that is cheaper to tell of a class.
 */
abstract class SelfMessage<C> implements NoSerializationVerificationNeeded {

    abstract Behavior<C> arriveAt(RetryingActorBehavior<C> actor, TypedActorContext<C> ctx);

    /** Messages that were held back may go on. */
    static final class Release<C> extends SelfMessage<C> {
        @Override
        Behavior<C> arriveAt(RetryingActorBehavior<C> actor, TypedActorContext<C> ctx) {
            return actor.release(ctx);
        }

        @Override
        public String toString() {
            return "release of messages held back";
        }
    }
}

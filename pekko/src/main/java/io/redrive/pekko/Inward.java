package io.redrive.pekko;

import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor.ReceiveTarget;
import org.apache.pekko.actor.typed.TypedActorContext;

/**
 * What a retrying actor sends to itself. Never leaves the JVM. A class and not an interface: every message that arrives is
 * asked whether it is one, and that is cheaper to tell of a class.
 */
abstract class Inward<C> implements NoSerializationVerificationNeeded {

    abstract Behavior<C> arriveAt(RetryInterceptor<C> actor, TypedActorContext<Object> ctx, ReceiveTarget<C> target);

    /** Messages that were held back may go on. */
    static final class Release<C> extends Inward<C> {
        @Override
        Behavior<C> arriveAt(RetryInterceptor<C> actor, TypedActorContext<Object> ctx, ReceiveTarget<C> target) {
            return actor.release(ctx, target);
        }

        @Override
        public String toString() {
            return "release of messages held back";
        }
    }

    /** A failure that had to wait until the behavior of the message before it was in place. */
    static final class Failing<C> extends Inward<C> {
        private final Throwable error;

        Failing(Throwable error) {
            this.error = error;
        }

        @Override
        Behavior<C> arriveAt(RetryInterceptor<C> actor, TypedActorContext<Object> ctx, ReceiveTarget<C> target) {
            return actor.fail(ctx, error);
        }

        @Override
        public String toString() {
            return "failure " + error;
        }
    }
}

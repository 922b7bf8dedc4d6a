package io.redrive.pekko;

import org.apache.pekko.actor.DeadLetterSuppression;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.jspecify.annotations.Nullable;

/**
 * A message of a retrying actor to itself; never leaves the JVM. A class and not an interface, because the actor checks the
 * type of every message, and {@code instanceof} is cheaper with a class.
 */
abstract sealed class SelfMessage<C> implements NoSerializationVerificationNeeded {

    private SelfMessage() {}

    /** An actor with one method for each kind of self-message; each method returns the next behavior. */
    interface Receiver<C> {

        /** Makes the next attempt at a pending message, unless the message was given up since its timer was set. */
        Behavior<C> attemptDue(TypedActorContext<C> ctx, PendingMessage<C> pending);

        /** Judges the value of a completed stage. */
        Behavior<C> stageReturned(TypedActorContext<C> ctx, AsyncRun<C> run, @Nullable Object value);

        /** Handles the exception of a completed stage as a failed attempt. */
        Behavior<C> stageFailed(TypedActorContext<C> ctx, AsyncRun<C> run, Throwable error);

        /** Handles held messages until none is left, a message becomes pending, or the actor stops. */
        Behavior<C> releaseHeld(TypedActorContext<C> ctx);
    }

    /** Calls the method of {@code actor} for this kind of self-message. */
    abstract Behavior<C> arriveAt(Receiver<C> actor, TypedActorContext<C> ctx);

    /** The end of a stage as {@code CompletionStage.whenComplete} reports it: {@code error} is null when there is a value. */
    static <C> SelfMessage<C> stageEnded(AsyncRun<C> run, @Nullable Object value, @Nullable Throwable error) {
        return error == null ? new StageReturned<>(run, value) : new StageFailed<>(run, error);
    }

    /** Asks the actor for the next attempt at a pending message. */
    static final class AttemptDue<C> extends SelfMessage<C> {
        private final PendingMessage<C> pending;

        AttemptDue(PendingMessage<C> pending) {
            this.pending = pending;
        }

        @Override
        Behavior<C> arriveAt(Receiver<C> actor, TypedActorContext<C> ctx) {
            return actor.attemptDue(ctx, pending);
        }

        /** The text in the log of Pekko's dead letters. */
        @Override
        public String toString() {
            return pending.toString();
        }
    }

    /** Asks the actor to handle its held messages. */
    static final class ReleaseHeld<C> extends SelfMessage<C> {
        @Override
        Behavior<C> arriveAt(Receiver<C> actor, TypedActorContext<C> ctx) {
            return actor.releaseHeld(ctx);
        }

        @Override
        public String toString() {
            return "release of held messages";
        }
    }

    /** Tells the actor the value of a run's stage. */
    private static final class StageReturned<C> extends SelfMessage<C> implements DeadLetterSuppression {
        private final AsyncRun<C> run;
        private final @Nullable Object value;

        StageReturned(AsyncRun<C> run, @Nullable Object value) {
            this.run = run;
            this.value = value;
        }

        @Override
        Behavior<C> arriveAt(Receiver<C> actor, TypedActorContext<C> ctx) {
            return actor.stageReturned(ctx, run, value);
        }
    }

    /** Tells the actor the exception of a run's stage. */
    private static final class StageFailed<C> extends SelfMessage<C> implements DeadLetterSuppression {
        private final AsyncRun<C> run;
        private final Throwable error;

        StageFailed(AsyncRun<C> run, Throwable error) {
            this.run = run;
            this.error = error;
        }

        @Override
        Behavior<C> arriveAt(Receiver<C> actor, TypedActorContext<C> ctx) {
            return actor.stageFailed(ctx, run, error);
        }
    }
}

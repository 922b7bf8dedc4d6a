package io.redrive.pekko;

import org.apache.pekko.actor.DeadLetterSuppression;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.jspecify.annotations.Nullable;

/** Tells an actor that the {@code CompletionStage} of a run has completed. */
abstract sealed class StageEnded<C> extends SelfMessage<C> implements DeadLetterSuppression {

    final Run<C> run;

    private StageEnded(Run<C> run) {
        this.run = run;
    }

    /** The end that {@code CompletionStage.whenComplete} reports: {@code error} is null when the stage has a value. */
    static <C> StageEnded<C> of(Run<C> run, @Nullable Object value, @Nullable Throwable error) {
        return error == null ? new Returned<>(run, value) : new Failed<>(run, error);
    }

    /**
     * A run of an asynchronous attempt.
     *
     * @param number distinguishes the run from abandoned runs of the same message
     * @param startNanos when the attempt began; 0 where attempts are not timed
     * @param exhaustionsAtStart the count of exhausted retries when the attempt began
     */
    record Run<C>(
            PendingMessage<C> pending,
            int number,
            AwaitedResult<C, ?> awaited,
            long startNanos,
            long exhaustionsAtStart) {}

    private static final class Returned<C> extends StageEnded<C> {
        private final @Nullable Object value;

        Returned(Run<C> run, @Nullable Object value) {
            super(run);
            this.value = value;
        }

        @Override
        Behavior<C> arriveAt(RetryingActorBehavior<C> actor, TypedActorContext<C> ctx) {
            return actor.stageReturned(ctx, run, value);
        }
    }

    private static final class Failed<C> extends StageEnded<C> {
        private final Throwable error;

        Failed(Run<C> run, Throwable error) {
            super(run);
            this.error = error;
        }

        @Override
        Behavior<C> arriveAt(RetryingActorBehavior<C> actor, TypedActorContext<C> ctx) {
            return actor.stageFailed(ctx, run, error);
        }
    }
}

package io.redrive.pekko;

import org.apache.pekko.actor.DeadLetterSuppression;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.TypedActorContext;

/** The asynchronous result of an attempt has arrived. */
final class StageEnded<C> extends SelfMessage<C> implements DeadLetterSuppression {

    final PendingMessage<C> pending;
    /** When the attempt began, by the clock and by the count of exhausted retries. */
    final long attemptNanos;

    final long moment;

    final Throwable error;
    private final AwaitedResult<C, ?> awaited;
    private final Object value;
    private final int run;

    StageEnded(Awaiting<C> awaiting, Object value, Throwable error) {
        pending = awaiting.pending();
        run = awaiting.run();
        awaited = awaiting.awaited();
        attemptNanos = awaiting.attemptNanos();
        moment = awaiting.moment();
        this.value = value;
        this.error = error;
    }

    /** What is known when the waiting begins. */
    record Awaiting<C>(
            PendingMessage<C> pending, int run, AwaitedResult<C, ?> awaited, long attemptNanos, long moment) {}

    @Override
    Behavior<C> arriveAt(RetryingActorBehavior<C> actor, TypedActorContext<C> ctx) {
        return actor.ended(ctx, this);
    }

    AwaitedResult.Arrived<C> result() {
        return new AwaitedResult.Arrived<>(awaited, value);
    }

    /** False when nobody waits for it any more. */
    boolean isWanted() {
        return pending.endRun(run);
    }
}

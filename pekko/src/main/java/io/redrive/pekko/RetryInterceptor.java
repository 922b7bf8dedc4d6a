package io.redrive.pekko;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.Decision;
import io.redrive.core.Exhaustions;
import io.redrive.core.Failure;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.internal.UnstashException;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Stands between one actor's mailbox and its behavior, and tries again what the behavior fails at.
 *
 * <p>A message goes straight through: nothing is allocated and no clock is read while it succeeds at once. When it fails, it
 * becomes a {@link PendingMessage}, which knows its attempts. The actor's timer sends that very object back here, and the
 * behavior of that moment, which may have changed, gets the message inside. Nothing blocks and no thread waits. A handler
 * that returns an {@link AwaitedResult} is judged when the result is there.
 *
 * <p>Where order is kept, messages that arrive while another is pending are held back, and go on in one sweep when it ended.
 *
 * <p>What waits survives a restart ({@link Handovers}), and is given up when the actor stops. Rejected: sending the bare
 * message again, which forgets the attempts; one timer for the soonest of all retries, which needs a clock besides the
 * scheduler's and so breaks under Pekko's manual time; Pekko's stash for the held ones, which a restart empties.
 */
final class RetryInterceptor<C> extends BehaviorInterceptor<Object, C> implements RetryAttempt {

    /** Longer waits are cut to this: Pekko's scheduler refuses what is too far away, and no actor lives that long. */
    static final Duration MAX_WAIT = Duration.ofDays(10);

    private static final Behavior<?> SAME = Behaviors.same();

    private final RetryBehavior<C> retry;
    private final Aftermath<C> aftermath;
    private final boolean timed;
    private Waiting<C> waiting;

    // About the attempt under way.
    private int number = 1;
    private long permit;
    private long attemptNanos;
    private long moment;

    RetryInterceptor(RetryBehavior<C> retry, Waiting<C> left) {
        super(Object.class);
        this.retry = retry;
        aftermath = new Aftermath<>(retry);
        timed = aftermath.needsTimes();
        waiting = left == null ? new Waiting<>(retry.holdLimit()) : left;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int maxAttempts() {
        return retry.policy().maxAttempts();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Behavior<C> aroundReceive(TypedActorContext<Object> ctx, Object message, ReceiveTarget<C> target) {
        if (message instanceof Inward<?> inward) {
            return ((Inward<C>) inward).arriveAt(this, ctx, target);
        }
        if (!retry.concerns((C) message)) {
            return past(ctx, (C) message, target);
        }
        if (waiting.holdsBack()) {
            return hold(ctx, (C) message);
        }
        return first(ctx, (C) message, target);
    }

    @Override
    public Behavior<C> aroundSignal(TypedActorContext<Object> ctx, Signal signal, SignalTarget<C> target) {
        try {
            return target.apply(ctx, signal);
        } finally {
            if (signal instanceof PostStop) {
                stopped(ctx);
            } else if (signal instanceof PreRestart && !waiting.isEmpty()) {
                waiting.forEachPending(pending -> {
                    // What it waits for would go on with the state of a life that is over.
                    if (pending.abandonRun()) {
                        self(ctx).tell(pending);
                    }
                });
                Handovers.leave(ctx, waiting);
            }
        }
    }

    /**
     * Of two around each other the inner one counts, so that attempts do not multiply. It is asked when a behavior with a
     * {@link RetryBehavior} around it becomes the next one inside this: then that one goes on with what waits here.
     */
    @Override
    @SuppressWarnings("unchecked")
    public boolean isSame(BehaviorInterceptor<Object, Object> other) {
        if (!(other instanceof RetryInterceptor<?> inner)) {
            return false;
        }
        ((RetryInterceptor<C>) inner).waiting = waiting;
        return true;
    }

    // ---- What arrives from the actor itself ----

    /** A timer fired. */
    Behavior<C> again(TypedActorContext<Object> ctx, PendingMessage<C> pending, ReceiveTarget<C> target) {
        if (!waiting.has(pending)) {
            return Behaviors.same();
        }
        return handledLate(ctx, pending.message, attempt(ctx, pending.message, pending, target));
    }

    /** An asynchronous attempt ended. */
    Behavior<C> ended(TypedActorContext<Object> ctx, StageEnded<C> end) {
        PendingMessage<C> pending = end.pending;
        if (!end.isWanted() || !waiting.has(pending)) {
            return Behaviors.same();
        }
        number = pending.attempts() + 1;
        attemptNanos = end.attemptNanos;
        moment = end.moment;
        Behavior<C> next = end.error != null
                ? failed(ctx, pending, Exhaustions.failure(end.error, moment))
                : judged(ctx, pending.message, pending, end.awaited, end.value);
        return handledLate(ctx, pending.message, next);
    }

    /** Lets held messages go, until one of them has to wait itself. */
    Behavior<C> release(TypedActorContext<Object> ctx, ReceiveTarget<C> target) {
        Behavior<C> now = Behaviors.same();
        ReceiveTarget<C> at = target;
        while (!waiting.isBusy() && waiting.hasHeld()) {
            C message = waiting.nextHeld();
            Behavior<C> next;
            try {
                next = handledLate(ctx, message, first(ctx, message, at));
            } catch (Throwable error) {
                if (now == SAME) {
                    throw error;
                }
                // First the behavior that the messages before it have made, then the failure.
                waiting.block(true);
                self(ctx).tell(new Inward.Failing<C>(error));
                return now;
            }
            if (next != SAME) {
                now = next;
                if (!Behavior.isAlive(now)) {
                    return now;
                }
                at = new Onto<>(now);
            }
        }
        return now;
    }

    Behavior<C> fail(TypedActorContext<Object> ctx, Throwable error) {
        waiting.block(false);
        releaseLater(ctx);
        throw RetryInterceptor.<RuntimeException>sneaky(error);
    }

    private Behavior<C> past(TypedActorContext<Object> ctx, C message, ReceiveTarget<C> target) {
        Behavior<C> next = target.apply(ctx, message);
        if (next != SAME && AwaitedResult.in(next) != null) {
            throw new IllegalStateException("results are judged only of messages that are retried, and "
                    + message.getClass().getSimpleName() + " is not one of them; name it in RetryBehavior.only");
        }
        return next;
    }

    // ---- One attempt ----

    private Behavior<C> first(TypedActorContext<Object> ctx, C message, ReceiveTarget<C> target) {
        CircuitBreaker breaker = retry.breaker();
        permit = breaker == null ? 0 : breaker.tryEnter();
        if (permit == CircuitBreaker.REFUSED) {
            return aftermath.refused(actor(ctx), message);
        }
        if (retry.budget() != null) {
            retry.budget().firstAttempt();
        }
        return attempt(ctx, message, null, target);
    }

    /** {@code pending} is null at the first attempt. */
    private Behavior<C> attempt(
            TypedActorContext<Object> ctx, C message, PendingMessage<C> pending, ReceiveTarget<C> target) {
        number = pending == null ? 1 : pending.attempts() + 1;
        attemptNanos = timed ? retry.time().nanos() : 0;
        moment = Exhaustions.moment();
        Behavior<C> next;
        try {
            next = target.apply(ctx, message);
        } catch (Throwable error) {
            return threw(ctx, message, pending, error);
        }
        return returned(ctx, message, pending, next);
    }

    private Behavior<C> returned(
            TypedActorContext<Object> ctx, C message, PendingMessage<C> pending, Behavior<C> next) {
        AwaitedResult<C, ?> awaited = next == SAME ? null : AwaitedResult.in(next);
        if (awaited == null) {
            succeeded(ctx, pending);
            return next;
        }
        if (awaited.stage() == null) {
            return judged(ctx, message, pending, awaited, awaited.value());
        }
        PendingMessage<C> waits = pendingFor(message, pending);
        waiting.add(waits);
        StageEnded.Awaiting<C> awaiting =
                new StageEnded.Awaiting<>(waits, waits.beginRun(), awaited, attemptNanos, moment);
        ActorRef<Object> self = self(ctx);
        awaited.stage().whenComplete((value, error) -> self.tell(new StageEnded<>(awaiting, value, error)));
        return Behaviors.same();
    }

    private Behavior<C> judged(
            TypedActorContext<Object> ctx,
            C message,
            PendingMessage<C> pending,
            AwaitedResult<C, ?> awaited,
            Object value) {
        if (retry.policy().retriesResult(value)) {
            return failed(ctx, pendingFor(message, pending), Failure.result(value));
        }
        Behavior<C> next;
        try {
            next = Behavior.start(awaited.accept(value), typed(ctx));
        } catch (Throwable error) {
            return threw(ctx, message, pending, error);
        }
        return returned(ctx, message, pending, next);
    }

    private void succeeded(TypedActorContext<Object> ctx, PendingMessage<C> pending) {
        if (retry.breaker() != null) {
            retry.breaker().succeeded(pending == null ? permit : pending.permit);
        }
        if (pending == null) {
            aftermath.succeededAtOnce(actor(ctx), attemptNanos);
        } else {
            waiting.remove(pending);
            releaseLater(ctx);
            aftermath.succeeded(actor(ctx), pending);
        }
    }

    private Behavior<C> threw(TypedActorContext<Object> ctx, C message, PendingMessage<C> pending, Throwable error) {
        // Of a stash inside, another message failed than the one we know; and a JVM in trouble is left alone.
        if (error instanceof UnstashException || error instanceof VirtualMachineError) {
            throw RetryInterceptor.<RuntimeException>sneaky(error);
        }
        return failed(ctx, pendingFor(message, pending), Exhaustions.failure(error, moment));
    }

    private Behavior<C> failed(TypedActorContext<Object> ctx, PendingMessage<C> pending, Failure failure) {
        pending.attemptFailed();
        FailedAttempt<C> failed = new FailedAttempt<>(actor(ctx), retry, pending, failure, attemptNanos);
        Decision decision = aftermath.decide(failed);
        if (decision instanceof Decision.GiveUp giveUp) {
            waiting.remove(pending);
            releaseLater(ctx);
            throw RetryInterceptor.<RuntimeException>sneaky(aftermath.gaveUp(failed, giveUp.reason()));
        }
        Duration asked = ((Decision.RetryAfter) decision).delay();
        Duration delay = asked.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : asked;
        waiting.add(pending);
        pending.waits(delay);
        if (delay.isZero()) {
            self(ctx).tell(pending);
        } else {
            pending.timer(ctx.asJava().scheduleOnce(delay, self(ctx), pending));
        }
        // Last, so that a test which hears of the retry finds its timer set.
        aftermath.retrying(failed, delay);
        return Behaviors.same();
    }

    private PendingMessage<C> pendingFor(C message, PendingMessage<C> pending) {
        return pending != null
                ? pending
                : new PendingMessage<>(
                        message, permit, timed ? attemptNanos : retry.time().nanos());
    }

    // ---- Order, and the end ----

    private Behavior<C> hold(TypedActorContext<Object> ctx, C message) {
        if (!waiting.hold(message)) {
            Lost.dropped(
                    ctx.asJava(),
                    message,
                    "more than " + retry.holdLimit() + " messages wait for the retry of an earlier one in "
                            + retry.name());
        }
        return Behaviors.same();
    }

    private void releaseLater(TypedActorContext<Object> ctx) {
        if (waiting.hasHeld()) {
            self(ctx).tell(new Inward.Release<C>());
        }
    }

    private void stopped(TypedActorContext<Object> ctx) {
        waiting.forEachPending(pending -> {
            pending.cancelTimer();
            pending.abandonRun();
            waiting.remove(pending);
            aftermath.cancelled(actor(ctx), pending);
        });
        while (waiting.hasHeld()) {
            Lost.dropped(ctx.asJava(), waiting.nextHeld(), retry.name() + " stopped before its turn");
        }
    }

    /** What came with a message of our own must not be called unhandled under its name. */
    private Behavior<C> handledLate(TypedActorContext<Object> ctx, C message, Behavior<C> next) {
        if (Behavior.isUnhandled(next)) {
            Lost.unhandled(ctx.asJava(), message);
            return Behaviors.same();
        }
        return next;
    }

    private static ActorRef<Object> self(TypedActorContext<Object> ctx) {
        return ctx.asJava().getSelf();
    }

    @SuppressWarnings("unchecked")
    private ActorContext<C> actor(TypedActorContext<Object> ctx) {
        return (ActorContext<C>) (ActorContext<?>) ctx.asJava();
    }

    @SuppressWarnings("unchecked")
    private static <C> TypedActorContext<C> typed(TypedActorContext<?> ctx) {
        return (TypedActorContext<C>) ctx;
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> X sneaky(Throwable error) throws X {
        throw (X) error;
    }

    @Override
    public String toString() {
        return "retry of " + retry.name();
    }
}

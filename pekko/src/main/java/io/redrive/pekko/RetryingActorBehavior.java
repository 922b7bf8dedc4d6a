package io.redrive.pekko;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.Decision;
import io.redrive.core.Exhaustions;
import io.redrive.core.Failure;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.internal.UnstashException;
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
 * <p>What waits survives a restart ({@link RestartHandover}), and is given up when the actor stops.
 *
 * <p>Rejected: sending the bare message again, which forgets the attempts; one timer for the soonest of all retries, which
 * needs a clock besides the scheduler's and so breaks under Pekko's manual time; Pekko's stash for the held ones, which a
 * restart empties; a {@code BehaviorInterceptor}, which costs a tenth of a small message even when it does nothing, and
 * does not say which behavior is inside, so that a sweep in which the behavior changes and then fails cannot be undone
 * halfway. What Pekko does for interceptors is done here: of two around each other only one counts.
 */
final class RetryingActorBehavior<C> extends ExtensibleBehavior<C> implements RetryAttempt {

    /** Longer waits are cut to this: Pekko's scheduler refuses what is too far away, and no actor lives that long. */
    static final Duration MAX_WAIT = Duration.ofDays(10);

    private static final Behavior<?> SAME = Behaviors.same();

    private final RetryBehavior<C> retry;
    private final MessageSettler<C> aftermath;
    private boolean timed;
    private boolean bare;
    private WaitingMessages<C> waiting;
    private Behavior<C> inner;
    /** The same as {@link #inner} where messages can be given to it directly, else null. */
    private ExtensibleBehavior<C> direct;

    // About the attempt under way.
    private int number = 1;
    private long permit;
    private long attemptNanos;
    private long moment;

    RetryingActorBehavior(RetryBehavior<C> retry, WaitingMessages<C> left) {
        this.retry = retry;
        aftermath = new MessageSettler<>(retry);
        measureAsNeeded();
        waiting = left == null ? new WaitingMessages<>(retry.holdLimit()) : left;
    }

    private void measureAsNeeded() {
        timed = aftermath.needsTimes();
        bare = !timed && retry.isBare();
    }

    Behavior<C> start(TypedActorContext<C> ctx, Behavior<C> initial) {
        Behavior<C> next = become(Behavior.validateAsInitial(Behavior.start(initial, ctx)));
        return next == SAME ? this : next;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int maxAttempts() {
        return aftermath.policy().maxAttempts();
    }

    // ---- What arrives ----

    @Override
    @SuppressWarnings("unchecked")
    public Behavior<C> receive(TypedActorContext<C> ctx, C message) throws Exception {
        if (message instanceof SelfMessage<?> inward) {
            return ((SelfMessage<C>) inward).arriveAt(this, ctx);
        }
        if (bare) {
            // The usual way, without the questions of the others: this is all that a message which succeeds costs.
            return attempt(ctx, message, null);
        }
        if (!retry.concerns(message)) {
            return past(ctx, message);
        }
        if (waiting.holdsBack()) {
            return hold(ctx, message);
        }
        return first(ctx, message);
    }

    @Override
    public Behavior<C> receiveSignal(TypedActorContext<C> ctx, Signal signal) {
        try {
            return become(Behavior.interpretSignal(inner, ctx, signal));
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
                RestartHandover.leave(ctx, waiting);
            }
        }
    }

    /** A timer fired. */
    Behavior<C> again(TypedActorContext<C> ctx, PendingMessage<C> pending) {
        return waiting.has(pending)
                ? handledLate(ctx, pending.message, attempt(ctx, pending.message, pending))
                : Behaviors.same();
    }

    /** An asynchronous attempt ended. */
    Behavior<C> ended(TypedActorContext<C> ctx, StageEnded<C> end) {
        PendingMessage<C> pending = end.pending;
        if (!end.isWanted() || !waiting.has(pending)) {
            return Behaviors.same();
        }
        number = pending.attempts() + 1;
        attemptNanos = end.attemptNanos;
        moment = end.moment;
        Behavior<C> next = end.error == null
                ? judged(ctx, pending.message, pending, end.result())
                : failed(ctx, pending, Exhaustions.failure(end.error, moment));
        return handledLate(ctx, pending.message, next);
    }

    /** Lets held messages go, until one of them has to wait itself. */
    Behavior<C> release(TypedActorContext<C> ctx) {
        Behavior<C> next = Behaviors.same();
        while (next == SAME && !waiting.isBusy() && waiting.hasHeld()) {
            C message = waiting.nextHeld();
            next = handledLate(ctx, message, first(ctx, message));
        }
        return next;
    }

    // ---- One attempt ----

    private Behavior<C> first(TypedActorContext<C> ctx, C message) {
        CircuitBreaker breaker = retry.breaker();
        permit = breaker == null ? 0 : breaker.tryEnter();
        if (permit == CircuitBreaker.REFUSED) {
            return become(Behavior.start(aftermath.refused(ctx.asJava(), message), ctx));
        }
        if (retry.budget() != null) {
            retry.budget().firstAttempt();
        }
        return attempt(ctx, message, null);
    }

    /** {@code pending} is null at the first attempt. */
    private Behavior<C> attempt(TypedActorContext<C> ctx, C message, PendingMessage<C> pending) {
        number = pending == null ? 1 : pending.attempts() + 1;
        if (timed) {
            attemptNanos = retry.time().nanos();
        }
        moment = Exhaustions.moment();
        Behavior<C> next;
        try {
            next = interpret(ctx, message);
        } catch (Throwable error) {
            return threw(ctx, message, pending, error);
        }
        return bare && next == SAME && pending == null ? next : returned(ctx, message, pending, next);
    }

    private Behavior<C> returned(TypedActorContext<C> ctx, C message, PendingMessage<C> pending, Behavior<C> next) {
        AwaitedResult<C, ?> awaited = next == SAME ? null : AwaitedResult.in(next);
        if (awaited == null) {
            succeeded(ctx, pending);
            return become(next);
        }
        if (awaited.stage() == null) {
            return judged(ctx, message, pending, awaited.now());
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
            TypedActorContext<C> ctx, C message, PendingMessage<C> pending, AwaitedResult.Arrived<C> result) {
        if (aftermath.policy().retriesResult(result.value())) {
            return failed(ctx, pendingFor(message, pending), Failure.result(result.value()));
        }
        Behavior<C> next;
        try {
            next = Behavior.start(result.accept(), ctx);
        } catch (Throwable error) {
            return threw(ctx, message, pending, error);
        }
        return returned(ctx, message, pending, next);
    }

    private void succeeded(TypedActorContext<C> ctx, PendingMessage<C> pending) {
        if (retry.breaker() != null) {
            retry.breaker().succeeded(pending == null ? permit : pending.permit);
        }
        if (pending == null) {
            aftermath.succeededAtOnce(ctx.asJava(), attemptNanos);
        } else {
            waiting.remove(pending);
            releaseLater(ctx);
            aftermath.succeeded(ctx.asJava(), pending);
        }
    }

    private Behavior<C> threw(TypedActorContext<C> ctx, C message, PendingMessage<C> pending, Throwable error) {
        if (error instanceof VirtualMachineError fatal) {
            throw fatal;
        }
        if (error instanceof UnstashException<?>) {
            throw unstashed(error);
        }
        return failed(ctx, pendingFor(message, pending), Exhaustions.failure(error, moment));
    }

    /** Of a stash inside, another message failed than the one we know; it is not ours to try again. */
    @SuppressWarnings("unchecked")
    private RuntimeException unstashed(Throwable error) {
        UnstashException<C> unstash = (UnstashException<C>) error;
        become(unstash.behavior());
        return sneaky(unstash.cause());
    }

    private Behavior<C> failed(TypedActorContext<C> ctx, PendingMessage<C> pending, Failure failure) {
        pending.attemptFailed();
        aftermath.renewPolicy(ctx.asJava());
        measureAsNeeded();
        FailedAttempt<C> failed = aftermath.failure(ctx.asJava(), pending, failure, attemptNanos);
        Decision decision = aftermath.decide(failed);
        if (decision instanceof Decision.GiveUp giveUp) {
            waiting.remove(pending);
            releaseLater(ctx);
            throw RetryingActorBehavior.<RuntimeException>sneaky(aftermath.gaveUp(failed, giveUp.reason()));
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

    // ---- What is inside ----

    /** Takes the behavior that is next inside; what is left to say to Pekko about it. */
    private Behavior<C> become(Behavior<C> next) {
        if (next == SAME || Behavior.isUnhandled(next) || !Behavior.isAlive(next)) {
            return next;
        }
        if (hasRetrying(next)) {
            return next;
        }
        inner = next;
        direct = next instanceof ExtensibleBehavior<C> extensible ? extensible : null;
        return Behaviors.same();
    }

    /** What {@link Behavior#interpretMessage} does, less what it asks of each message about behaviors that are not here. */
    private Behavior<C> interpret(TypedActorContext<C> ctx, C message) throws Exception {
        if (direct == null) {
            return Behavior.interpretMessage(inner, ctx, message);
        }
        Behavior<C> next = direct.receive(ctx, message);
        return next == SAME ? next : Behavior.start(next, ctx);
    }

    /**
     * Of two around each other the inner one counts, so that attempts do not multiply, and so that a state which wraps its
     * successor again and again does not grow. The one inside goes on with what waits here.
     */
    private boolean hasRetrying(Behavior<C> next) {
        return Behavior.existsInStack(next, behavior -> {
            if (behavior instanceof RetryingActorBehavior<C> other) {
                other.waiting = waiting;
                return true;
            }
            return false;
        });
    }

    /** Past all that is done for messages that are retried. */
    private Behavior<C> past(TypedActorContext<C> ctx, C message) throws Exception {
        Behavior<C> next = interpret(ctx, message);
        if (next != SAME && AwaitedResult.in(next) != null) {
            throw new IllegalStateException("results are judged only of messages that are retried, and "
                    + message.getClass().getSimpleName() + " is not one of them; name it in RetryBehavior.only");
        }
        return become(next);
    }

    // ---- Order, and the end ----

    private Behavior<C> hold(TypedActorContext<C> ctx, C message) {
        if (!waiting.hold(message)) {
            EventStreamNotices.dropped(
                    ctx.asJava(),
                    message,
                    "more than " + retry.holdLimit() + " messages wait for the retry of an earlier one in "
                            + retry.name());
        }
        return Behaviors.same();
    }

    private void releaseLater(TypedActorContext<C> ctx) {
        if (waiting.hasHeld()) {
            self(ctx).tell(new SelfMessage.Release<C>());
        }
    }

    private void stopped(TypedActorContext<C> ctx) {
        waiting.forEachPending(pending -> {
            pending.cancelTimer();
            pending.abandonRun();
            waiting.remove(pending);
            aftermath.cancelled(ctx.asJava(), pending);
        });
        while (waiting.hasHeld()) {
            EventStreamNotices.dropped(ctx.asJava(), waiting.nextHeld(), retry.name() + " stopped before its turn");
        }
    }

    /** What came with a message of our own must not be called unhandled under its name. */
    private Behavior<C> handledLate(TypedActorContext<C> ctx, C message, Behavior<C> next) {
        if (Behavior.isUnhandled(next)) {
            EventStreamNotices.unhandled(ctx.asJava(), message);
            return Behaviors.same();
        }
        return next;
    }

    private ActorRef<Object> self(TypedActorContext<C> ctx) {
        return ctx.asJava().getSelf().unsafeUpcast();
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> X sneaky(Throwable error) throws X {
        throw (X) error;
    }

    @Override
    public String toString() {
        return "retry of " + retry.name() + " around " + inner;
    }
}

package io.redrive.pekko;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.Decision;
import io.redrive.core.Exhaustions;
import io.redrive.core.Failure;
import io.redrive.core.RetryBudget;
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
import org.jspecify.annotations.Nullable;

/**
 * The behavior of an actor with retries: passes each message to the inner behavior, and retries messages on which the inner
 * behavior fails.
 *
 * <p>Success in the first attempt allocates no object and reads no clock. A failed message becomes a {@link PendingMessage},
 * which counts the attempts. The actor's timer tells this actor when the next attempt is due, and the inner behavior, which may
 * have changed meanwhile, gets the message again. No thread waits. When a handler returns an {@link AwaitedResult}, the attempt
 * ends with the result.
 *
 * <p>Where order is kept, messages are held while another message is pending. Held messages are handled in one sweep when no
 * message is pending any more. Waiting messages survive a restart ({@link RestartHandover}); a stop gives them up.
 *
 * <p>Rejected designs: Sending the bare message again, which forgets the attempts. A single timer for the earliest retry, which
 * needs a clock besides the scheduler's and fails under Pekko's manual time. Pekko's stash for held messages, which a restart
 * empties. A {@code BehaviorInterceptor}: even an empty interceptor takes a tenth of a small message's time, and it hides the
 * inner behavior, so a sweep in which the behavior first changes and later fails would lose the change. Pekko unites equal
 * interceptors around each other; {@link #containsRetry} does the same for nested retries.
 */
final class RetryingActorBehavior<C> extends ExtensibleBehavior<C> implements RetryAttempt, SelfMessage.Receiver<C> {

    /** The longest wait; longer delays are cut. Pekko's scheduler refuses delays that are too long. */
    static final Duration MAX_WAIT = Duration.ofDays(10);

    private static final Behavior<?> SAME = Behaviors.same();

    private final RetrySettings<C> settings;
    private final MessageSettler<C> settler;
    private boolean timesAttempts;
    /** True when a first attempt needs no check and no clock. */
    private boolean fastPath;

    private WaitingMessages<C> waiting;
    private Behavior<C> inner = Behaviors.empty();
    /** {@link #inner} where {@link Behavior#interpretMessage} can be bypassed, otherwise null. */
    private @Nullable ExtensibleBehavior<C> direct;

    // State of the current attempt.
    private int number = 1;
    private long permit;
    private long startNanos;
    private long exhaustionsAtStart;

    RetryingActorBehavior(RetrySettings<C> settings, WaitingMessages<C> waiting) {
        this.settings = settings;
        this.waiting = waiting;
        settler = new MessageSettler<>(settings);
        adaptToPolicy();
    }

    private void adaptToPolicy() {
        timesAttempts = settler.needsTimes();
        fastPath = !timesAttempts && settings.isPolicyOnly();
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
        return settler.policy().maxAttempts();
    }

    // ---- Arrivals ----

    @Override
    @SuppressWarnings("unchecked")
    public Behavior<C> receive(TypedActorContext<C> ctx, C message) throws Exception {
        if (message instanceof SelfMessage<?> selfMessage) {
            return ((SelfMessage<C>) selfMessage).arriveAt(this, ctx);
        }
        if (fastPath) {
            return attempt(ctx, message, null);
        }
        if (!settings.retries(message)) {
            return passThrough(ctx, message);
        }
        if (waiting.mustHold()) {
            return hold(ctx, message);
        }
        return firstAttempt(ctx, message);
    }

    @Override
    public Behavior<C> receiveSignal(TypedActorContext<C> ctx, Signal signal) {
        try {
            return become(Behavior.interpretSignal(inner, ctx, signal));
        } finally {
            if (signal instanceof PostStop) {
                settler.actorStopped(ctx.asJava(), waiting);
            } else if (signal instanceof PreRestart && !waiting.isEmpty()) {
                leaveWaiting(ctx);
            }
        }
    }

    @Override
    public Behavior<C> attemptDue(TypedActorContext<C> ctx, PendingMessage<C> pending) {
        pending.timerFired();
        return waiting.has(pending)
                ? reportUnhandled(ctx, pending.message, attempt(ctx, pending.message, pending))
                : Behaviors.same();
    }

    @Override
    public Behavior<C> stageReturned(TypedActorContext<C> ctx, AsyncRun<C> run, @Nullable Object value) {
        PendingMessage<C> pending = run.pending();
        return resume(run)
                ? reportUnhandled(ctx, pending.message, judge(ctx, pending.message, pending, run.awaited(), value))
                : Behaviors.same();
    }

    @Override
    public Behavior<C> stageFailed(TypedActorContext<C> ctx, AsyncRun<C> run, Throwable error) {
        return resume(run)
                ? attemptFailed(ctx, run.pending(), Exhaustions.failure(error, exhaustionsAtStart))
                : Behaviors.same();
    }

    /** Restores the state of the attempt that {@code run} belongs to; returns false when the run was abandoned. */
    private boolean resume(AsyncRun<C> run) {
        PendingMessage<C> pending = run.pending();
        if (!pending.endRun(run.number()) || !waiting.has(pending)) {
            return false;
        }
        number = pending.attempts() + 1;
        startNanos = run.startNanos();
        exhaustionsAtStart = run.exhaustionsAtStart();
        return true;
    }

    @Override
    public Behavior<C> releaseHeld(TypedActorContext<C> ctx) {
        Behavior<C> next = Behaviors.same();
        while (next == SAME && !waiting.hasPending() && waiting.hasHeld()) {
            C message = waiting.takeHeld();
            next = reportUnhandled(ctx, message, firstAttempt(ctx, message));
        }
        return next;
    }

    // ---- One attempt ----

    private Behavior<C> firstAttempt(TypedActorContext<C> ctx, C message) {
        CircuitBreaker breaker = settings.breaker;
        permit = breaker == null ? 0 : breaker.tryEnter();
        if (breaker != null && permit == CircuitBreaker.REFUSED) {
            return become(Behavior.start(settler.refused(ctx.asJava(), message, breaker), ctx));
        }
        RetryBudget budget = settings.budget;
        if (budget != null) {
            budget.firstAttempt();
        }
        return attempt(ctx, message, null);
    }

    /** {@code pending} is null at a first attempt, to allocate no object for a message which succeeds at once. */
    private Behavior<C> attempt(TypedActorContext<C> ctx, C message, @Nullable PendingMessage<C> pending) {
        number = pending == null ? 1 : pending.attempts() + 1;
        if (timesAttempts) {
            startNanos = settings.time.nanos();
        }
        exhaustionsAtStart = Exhaustions.moment();
        Behavior<C> next;
        try {
            next = interpret(ctx, message);
        } catch (Throwable error) {
            return attemptThrew(ctx, message, pending, error);
        }
        return fastPath && next == SAME && pending == null ? next : handlerReturned(ctx, message, pending, next);
    }

    private Behavior<C> handlerReturned(
            TypedActorContext<C> ctx, C message, @Nullable PendingMessage<C> pending, Behavior<C> next) {
        AwaitedResult<C, ?> awaited = next == SAME ? null : AwaitedResult.in(next);
        if (awaited == null) {
            succeeded(ctx, pending);
            return become(next);
        }
        if (awaited instanceof AwaitedResult.Later<C, ?> later) {
            beginRun(ctx, pendingFor(message, pending), later);
            return Behaviors.same();
        }
        return judge(ctx, message, pending, awaited, ((AwaitedResult.Ready<C, ?>) awaited).value());
    }

    private void beginRun(TypedActorContext<C> ctx, PendingMessage<C> pending, AwaitedResult.Later<C, ?> awaited) {
        waiting.add(pending);
        AsyncRun<C> run = new AsyncRun<>(pending, pending.beginRun(), awaited, startNanos, exhaustionsAtStart);
        ActorRef<Object> self = self(ctx);
        awaited.stage().whenComplete((value, error) -> self.tell(SelfMessage.stageEnded(run, value, error)));
    }

    /** Lets the policy judge the result of an attempt; an accepted result goes to the continuation of the handler. */
    private Behavior<C> judge(
            TypedActorContext<C> ctx,
            C message,
            @Nullable PendingMessage<C> pending,
            AwaitedResult<C, ?> awaited,
            @Nullable Object value) {
        if (settler.policy().retriesResult(value)) {
            return attemptFailed(ctx, pendingFor(message, pending), Failure.result(value));
        }
        Behavior<C> next;
        try {
            next = Behavior.start(awaited.accept(value), ctx);
        } catch (Throwable error) {
            return attemptThrew(ctx, message, pending, error);
        }
        return handlerReturned(ctx, message, pending, next);
    }

    private void succeeded(TypedActorContext<C> ctx, @Nullable PendingMessage<C> pending) {
        if (pending == null) {
            settler.succeededAtOnce(ctx.asJava(), permit, startNanos);
        } else {
            waiting.remove(pending);
            scheduleRelease(ctx);
            settler.succeeded(ctx.asJava(), pending);
        }
    }

    private Behavior<C> attemptThrew(
            TypedActorContext<C> ctx, C message, @Nullable PendingMessage<C> pending, Throwable error) {
        if (error instanceof VirtualMachineError fatal) {
            throw fatal;
        }
        if (error instanceof UnstashException<?>) {
            throw failureOfUnstashed(error);
        }
        return attemptFailed(ctx, pendingFor(message, pending), Exhaustions.failure(error, exhaustionsAtStart));
    }

    /** A stash of the inner behavior replayed an earlier message, which failed. An unstashed message is not retried. */
    @SuppressWarnings("unchecked")
    private RuntimeException failureOfUnstashed(Throwable error) {
        UnstashException<C> unstash = (UnstashException<C>) error;
        become(unstash.behavior());
        return sneaky(unstash.cause());
    }

    private Behavior<C> attemptFailed(TypedActorContext<C> ctx, PendingMessage<C> pending, Failure failure) {
        pending.attemptFailed();
        settler.renewPolicy(ctx.asJava());
        adaptToPolicy();
        FailedAttempt<C> failed = settler.failedAttempt(ctx.asJava(), pending, failure, startNanos);
        Decision decision = settler.decide(failed);
        if (decision instanceof Decision.GiveUp giveUp) {
            waiting.remove(pending);
            scheduleRelease(ctx);
            throw RetryingActorBehavior.<RuntimeException>sneaky(settler.gaveUp(failed, giveUp.reason()));
        }
        Duration decided = ((Decision.RetryAfter) decision).delay();
        Duration delay = decided.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : decided;
        waiting.add(pending);
        pending.waits(delay);
        SelfMessage<C> due = new SelfMessage.AttemptDue<>(pending);
        if (delay.isZero()) {
            self(ctx).tell(due);
        } else {
            pending.timer(ctx.asJava().scheduleOnce(delay, self(ctx), due));
        }
        // Last: a test told of the retry must find the timer set.
        settler.retrying(failed, delay);
        return Behaviors.same();
    }

    private PendingMessage<C> pendingFor(C message, @Nullable PendingMessage<C> pending) {
        return pending != null
                ? pending
                : new PendingMessage<>(message, permit, timesAttempts ? startNanos : settings.time.nanos());
    }

    // ---- The inner behavior ----

    /** Makes a new behavior the inner behavior; returns the behavior to report to Pekko. */
    private Behavior<C> become(Behavior<C> next) {
        if (next == SAME || Behavior.isUnhandled(next) || !Behavior.isAlive(next) || containsRetry(next)) {
            return next;
        }
        inner = next;
        direct = next instanceof ExtensibleBehavior<C> extensible ? extensible : null;
        return Behaviors.same();
    }

    /** {@link Behavior#interpretMessage} without the checks for kinds of behaviors that {@link #inner} never is. */
    private Behavior<C> interpret(TypedActorContext<C> ctx, C message) throws Exception {
        if (direct == null) {
            return Behavior.interpretMessage(inner, ctx, message);
        }
        Behavior<C> next = direct.receive(ctx, message);
        return next == SAME ? next : Behavior.start(next, ctx);
    }

    /**
     * Returns true when {@code next} contains a retrying behavior, and hands the waiting messages to the latter. When
     * retries are nested, only the innermost retries: attempts do not multiply, and a state wrapping its successor in a
     * further retry does not grow.
     */
    private boolean containsRetry(Behavior<C> next) {
        return Behavior.existsInStack(next, behavior -> {
            if (behavior instanceof RetryingActorBehavior<C> nested) {
                nested.waiting = waiting;
                return true;
            }
            return false;
        });
    }

    /** Passes a message that is not retried to the inner behavior. */
    private Behavior<C> passThrough(TypedActorContext<C> ctx, C message) throws Exception {
        Behavior<C> next = interpret(ctx, message);
        if (next != SAME && AwaitedResult.in(next) != null) {
            throw new IllegalStateException("results are judged only of messages that are retried, and "
                    + message.getClass().getSimpleName() + " is not one of them; name it in RetryBehavior.only");
        }
        return become(next);
    }

    // ---- Waiting messages ----

    private Behavior<C> hold(TypedActorContext<C> ctx, C message) {
        if (!waiting.hold(message)) {
            settler.dropBeyondHoldLimit(ctx.asJava(), message);
        }
        return Behaviors.same();
    }

    private void scheduleRelease(TypedActorContext<C> ctx) {
        if (waiting.hasHeld()) {
            self(ctx).tell(new SelfMessage.ReleaseHeld<C>());
        }
    }

    /** Leaves waiting messages to the next incarnation. Runs are abandoned, because a continuation uses the state of the
     * old incarnation. */
    private void leaveWaiting(TypedActorContext<C> ctx) {
        waiting.forEachPending(pending -> {
            if (pending.abandonRun()) {
                self(ctx).tell(new SelfMessage.AttemptDue<>(pending));
            }
        });
        RestartHandover.leave(ctx, waiting);
    }

    /** Publishes {@code message} as unhandled; Pekko itself would publish the self-message around it. */
    private Behavior<C> reportUnhandled(TypedActorContext<C> ctx, C message, Behavior<C> next) {
        if (Behavior.isUnhandled(next)) {
            EventStreamNotices.unhandled(ctx.asJava(), message);
            return Behaviors.same();
        }
        return next;
    }

    private ActorRef<Object> self(TypedActorContext<C> ctx) {
        return ctx.asJava().getSelf().unsafeUpcast();
    }

    /** Throws {@code error}, checked or not; the return type lets callers write {@code throw}. */
    @SuppressWarnings("unchecked")
    private static <X extends Throwable> X sneaky(Throwable error) throws X {
        throw (X) error;
    }

    @Override
    public String toString() {
        return "retry of " + settings.name + " around " + inner;
    }
}

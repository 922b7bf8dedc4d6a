package io.redrive.core;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Runs attempts that complete later and waits on a timer: no thread is held, neither by an attempt under way nor by a
 * wait. The caller's future is the handle: whoever completes or cancels it from outside ends the call, pending timer and
 * running attempt included.
 *
 * <p>An attempt can end by completion, by its time limit, or by the caller's cancellation, on three threads at once. The
 * state settles who was first: the number of the attempt under way, {@link #WAITING} between attempts, or
 * {@link #SETTLED}. Only the winner touches the {@link CallInProgress}, under its monitor.
 */
final class AsyncCall<T> {

    private static final int WAITING = 0;
    private static final int SETTLED = -1;

    private final Retry retry;
    private final Supplier<? extends CompletionStage<T>> operation;
    private final Executor executor;
    private final AsyncEnding<T> ending;
    private final CallInProgress call;
    private final AtomicInteger state = new AtomicInteger(WAITING);
    private volatile Time.Scheduled timer;
    private volatile Future<?> inFlight;

    /** {@code executor} starts the later attempts; the first starts where {@link #start} is called. */
    AsyncCall(Retry retry, Supplier<? extends CompletionStage<T>> operation, Executor executor, AsyncEnding<T> ending) {
        this.retry = retry;
        this.operation = operation;
        this.executor = executor;
        this.ending = ending;
        long permit = retry.enter();
        this.call = new CallInProgress(retry, permit, true, retry.time().nanos());
        if (permit == CircuitBreaker.REFUSED) {
            state.set(SETTLED);
        }
    }

    void start() {
        if (state.get() == SETTLED) {
            call.refused();
            ending.failed(Reason.CIRCUIT_OPEN, call);
            return;
        }
        // Not whenComplete: its stage would wrap the exception, and a wrapper asks the exception for its text.
        ending.future().handle((value, error) -> {
            endedFromOutside();
            return null;
        });
        attempt();
    }

    private void attempt() {
        int number = call.attempts() + 1;
        if (!state.compareAndSet(WAITING, number)) {
            return;
        }
        long moment = Exhaustions.moment();
        CompletionStage<T> stage;
        try {
            stage = Objects.requireNonNull(operation.get(), "the operation returned no CompletionStage");
        } catch (Throwable error) {
            ended(number, Exhaustions.failure(error, moment), null);
            return;
        }
        inFlight = stage instanceof Future<?> cancellable ? cancellable : null;
        Time.Scheduled alarm = watch(number, inFlight);
        stage.handle((value, error) -> {
            alarm.cancel();
            ended(number, failureOf(value, error, moment), value);
            return null;
        });
        if (state.get() == SETTLED) {
            cancel(inFlight);
        }
    }

    private Failure failureOf(T value, Throwable error, long moment) {
        if (error != null) {
            return Exhaustions.failure(CauseChain.unwrap(error), moment);
        }
        return retry.policy().retriesResult(value) ? Failure.result(value) : null;
    }

    private Time.Scheduled watch(int number, Future<?> attempt) {
        Duration limit = retry.attemptTimeout();
        if (limit == null) {
            return () -> {};
        }
        return retry.time().schedule(limit, () -> {
            Failure timeout = Failure.thrown(new AttemptTimeoutException(limit));
            if (ended(number, timeout, null)) {
                cancel(attempt);
            }
        });
    }

    /** False when another end of this attempt came first. */
    private boolean ended(int number, Failure failure, T value) {
        if (!state.compareAndSet(number, WAITING)) {
            return false;
        }
        if (failure == null) {
            if (state.compareAndSet(WAITING, SETTLED)) {
                synchronized (call) {
                    call.succeeded();
                }
                ending.succeeded(value, call);
            }
            return true;
        }
        Decision decision;
        synchronized (call) {
            decision = call.failed(failure);
        }
        if (decision instanceof Decision.GiveUp giveUp) {
            giveUp(giveUp.reason());
        } else {
            retryAfter(((Decision.RetryAfter) decision).delay());
        }
        return true;
    }

    private void retryAfter(Duration delay) {
        timer = retry.time().schedule(delay, () -> {
            try {
                executor.execute(this::attempt);
            } catch (RuntimeException rejected) {
                giveUp(Reason.CANCELLED);
            }
        });
        if (state.get() == SETTLED) {
            timer.cancel();
        }
    }

    private void giveUp(Reason reason) {
        if (state.compareAndSet(WAITING, SETTLED)) {
            synchronized (call) {
                call.gaveUp(reason);
            }
            ending.failed(reason, call);
        }
    }

    private void endedFromOutside() {
        if (state.getAndSet(SETTLED) == SETTLED) {
            return;
        }
        Time.Scheduled pending = timer;
        if (pending != null) {
            pending.cancel();
        }
        cancel(inFlight);
        synchronized (call) {
            call.gaveUp(Reason.CANCELLED);
        }
    }

    private static void cancel(Future<?> attempt) {
        if (attempt == null) {
            return;
        }
        try {
            attempt.cancel(true);
        } catch (UnsupportedOperationException readOnly) {
            // A minimal stage is a future by its type only; it ends when it ends and nobody listens any more.
        }
    }
}

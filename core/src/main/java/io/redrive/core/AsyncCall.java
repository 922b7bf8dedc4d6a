package io.redrive.core;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs asynchronous attempts and waits on a timer: neither an attempt under way nor a wait holds a thread. The
 * caller's future controls the call: completing or cancelling the future from outside ends the call, cancels the
 * timer and cancels the running attempt.
 *
 * <p>An attempt can end by completion, by its time limit, or by the caller's cancellation, on three threads at once.
 * One atomic state decides which end counts: the number of the attempt under way, {@link #WAITING} between attempts,
 * or {@link #SETTLED}. Only the thread that changed the state touches the {@link CallInProgress}, under the monitor
 * of the call.
 */
final class AsyncCall<T extends @Nullable Object> {

    /** Starts later attempts: never on the timer's thread, which an attempt might block. */
    static final Executor EXECUTOR =
            VirtualThreads.newExecutor().map(Executor.class::cast).orElseGet(ForkJoinPool::commonPool);

    private static final int WAITING = 0;
    private static final int SETTLED = -1;

    private final CallSettings settings;
    private final Supplier<? extends CompletionStage<T>> operation;
    private final Executor executor;
    private final AsyncEnding<T> ending;
    private final CallInProgress call;
    private final AtomicInteger state = new AtomicInteger(WAITING);
    private volatile Time.@Nullable Scheduled timer;
    private volatile @Nullable Future<?> inFlight;

    /** {@code executor} starts the later attempts; the first starts where {@link #start} is called. */
    AsyncCall(
            CallSettings settings,
            Supplier<? extends CompletionStage<T>> operation,
            Executor executor,
            AsyncEnding<T> ending) {
        this.settings = settings;
        this.operation = operation;
        this.executor = executor;
        this.ending = ending;
        long permit = settings.enter();
        this.call = new CallInProgress(settings, permit, true, settings.time().nanos());
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
        // Not whenComplete: that stage would wrap the exception, and wrapping calls the exception's toString, which
        // is user code.
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
            failed(number, Exhaustions.failure(error, moment));
            return;
        }
        inFlight = stage instanceof Future<?> cancellable ? cancellable : null;
        Time.Scheduled alarm = watch(number, inFlight);
        stage.handle((value, error) -> {
            alarm.cancel();
            ended(number, value, error, moment);
            return null;
        });
        if (state.get() == SETTLED) {
            cancel(inFlight);
        }
    }

    private void ended(int number, T value, @Nullable Throwable error, long moment) {
        if (error != null) {
            failed(number, Exhaustions.failure(CauseChain.unwrap(error), moment));
        } else if (settings.policy().retriesResult(value)) {
            failed(number, Failure.result(value));
        } else {
            succeeded(number, value);
        }
    }

    private Time.Scheduled watch(int number, @Nullable Future<?> attempt) {
        Duration limit = settings.attemptTimeout();
        if (limit == null) {
            return () -> {};
        }
        return settings.time().schedule(limit, () -> {
            Failure timeout = Failure.thrown(new AttemptTimeoutException(limit));
            if (failed(number, timeout)) {
                cancel(attempt);
            }
        });
    }

    private void succeeded(int number, T value) {
        if (state.compareAndSet(number, SETTLED)) {
            synchronized (call) {
                call.succeeded();
            }
            ending.succeeded(value, call);
        }
    }

    /** Ends an attempt by its failure. Returns false when another end of the same attempt came first. */
    private boolean failed(int number, Failure failure) {
        if (!state.compareAndSet(number, WAITING)) {
            return false;
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
        timer = settings.time().schedule(delay, () -> {
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
        Time.@Nullable Scheduled pending = timer;
        if (pending != null) {
            pending.cancel();
        }
        cancel(inFlight);
        synchronized (call) {
            call.gaveUp(Reason.CANCELLED);
        }
    }

    private static void cancel(@Nullable Future<?> attempt) {
        if (attempt == null) {
            return;
        }
        try {
            attempt.cancel(true);
        } catch (UnsupportedOperationException readOnly) {
            // A minimal stage implements Future but refuses cancel. The attempt runs on; its end is ignored.
        }
    }
}

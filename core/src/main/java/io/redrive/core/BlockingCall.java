package io.redrive.core;

import java.time.Duration;

/** Runs attempts on the calling thread and waits by parking it. */
final class BlockingCall<T> {

    private final Retry retry;
    private final Operation<? extends T, ?> operation;
    private final CallInProgress call;
    private T value;
    private Reason reason;

    BlockingCall(Retry retry, Operation<? extends T, ?> operation, CallInProgress call) {
        this.retry = retry;
        this.operation = operation;
        this.call = call;
    }

    /** Runs the first attempt and all that follow. */
    BlockingCall<T> run() {
        Failure failure = attempt();
        if (failure == null) {
            call.succeeded();
            return this;
        }
        return continueAfter(failure);
    }

    /** Goes on after a first attempt that was made elsewhere and failed. */
    BlockingCall<T> continueAfter(Failure first) {
        Failure failure = first;
        while (failure != null) {
            Decision decision = call.failed(failure);
            if (decision instanceof Decision.GiveUp giveUp) {
                return gaveUp(giveUp.reason());
            }
            try {
                retry.time().sleep(((Decision.RetryAfter) decision).delay());
            } catch (InterruptedException e) {
                return gaveUp(Reason.INTERRUPTED);
            }
            failure = attempt();
        }
        call.succeeded();
        return this;
    }

    /** The value, the last refused value, or the original exception. */
    T valueOrThrow() {
        if (reason == null) {
            return value;
        }
        Throwable error = call.lastException();
        if (error != null) {
            throw Retry.<RuntimeException>sneaky(error);
        }
        return lastValue();
    }

    RetryResult<T> result() {
        return reason == null
                ? new RetryResult.Success<>(value, call.attempts(), call.elapsed())
                : new RetryResult.Failure<>(reason, call.lastException(), call.attempts(), call.elapsed(), lastValue());
    }

    private Failure attempt() {
        long moment = Exhaustions.moment();
        try {
            value = retry.attemptTimeout() == null ? operation.run() : limited(retry.attemptTimeout());
            return retry.policy().retriesResult(value) ? Failure.result(value) : null;
        } catch (Throwable error) {
            return Exhaustions.failure(error, moment);
        }
    }

    private T limited(Duration limit) throws Exception {
        try (TimeLimit once = new TimeLimit(retry.time(), limit)) {
            return once.call(operation);
        }
    }

    private BlockingCall<T> gaveUp(Reason why) {
        reason = why;
        call.gaveUp(why);
        if (why == Reason.INTERRUPTED) {
            Thread.currentThread().interrupt();
        }
        return this;
    }

    @SuppressWarnings("unchecked")
    private T lastValue() {
        return (T) call.lastValue();
    }
}

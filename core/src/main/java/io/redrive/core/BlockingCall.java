package io.redrive.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Runs attempts on the calling thread and parks the thread between attempts. */
final class BlockingCall<T extends @Nullable Object> {

    private final CallSettings settings;
    private final Operation<? extends T, ?> operation;
    private final CallInProgress call;
    /** The value of the last attempt that returned one; null also when the operation returned null. */
    @SuppressWarnings("NullAway.Init")
    private T value;

    /** Why the call gave up; null before that and after a success. */
    private @Nullable Reason reason;

    BlockingCall(CallSettings settings, Operation<? extends T, ?> operation, CallInProgress call) {
        this.settings = settings;
        this.operation = operation;
        this.call = call;
    }

    /** Runs the first attempt and every retry. */
    BlockingCall<T> run() {
        @Nullable Failure failure = attempt();
        if (failure == null) {
            call.succeeded();
            return this;
        }
        return continueAfter(failure);
    }

    /** Continues a call whose first attempt the caller has run and seen fail. */
    BlockingCall<T> continueAfter(Failure first) {
        @Nullable Failure failure = first;
        while (failure != null) {
            Decision decision = call.failed(failure);
            if (decision instanceof Decision.GiveUp giveUp) {
                return gaveUp(giveUp.reason());
            }
            try {
                settings.time().sleep(((Decision.RetryAfter) decision).delay());
            } catch (InterruptedException e) {
                return gaveUp(Reason.INTERRUPTED);
            }
            failure = attempt();
        }
        call.succeeded();
        return this;
    }

    /** Returns the value or the last refused value, or throws the original exception. */
    T valueOrThrow() {
        if (reason == null) {
            return value;
        }
        Throwable error = call.lastException();
        if (error != null) {
            throw Undeclared.<RuntimeException>sneaky(error);
        }
        return lastValue();
    }

    RetryResult<T> result() {
        return reason == null
                ? new RetryResult.Success<>(value, call.attempts(), call.elapsed())
                : new RetryResult.Failure<>(reason, call.lastException(), call.attempts(), call.elapsed(), lastValue());
    }

    /** Returns how the attempt failed, or null after a success. */
    private @Nullable Failure attempt() {
        long moment = Exhaustions.moment();
        try {
            value = settings.attemptTimeout() == null ? operation.run() : limited(settings.attemptTimeout());
            return settings.policy().retriesResult(value) ? Failure.result(value) : null;
        } catch (Throwable error) {
            return Exhaustions.failure(error, moment);
        }
    }

    private T limited(Duration limit) throws Exception {
        try (TimeLimit once = new TimeLimit(settings.time(), limit)) {
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

    /** Returns the refused value of the last attempt, which is null when the operation returned null. */
    @SuppressWarnings({"unchecked", "NullAway"})
    private T lastValue() {
        return (T) call.lastValue();
    }
}

package io.redrive.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which failures may be retried.
 *
 * <p>Walks an exception's cause chain from the outside in. At each depth the built-in refusals come first, then
 * {@code doNotRetryOn}, then {@code retryOn}; the first matching type decides. Statuses follow, then kinds, then the
 * predicate. Without any allow rule every failure is retryable; with allow rules a failure must match one.
 */
record Classification(
        List<Class<? extends Throwable>> retryOn,
        List<Class<? extends Throwable>> doNotRetryOn,
        Set<Integer> statuses,
        Set<String> kinds,
        @Nullable Predicate<? super Throwable> retryIf,
        @Nullable Predicate<Object> retryOnResult,
        boolean retryNone,
        boolean retryExhausted) {

    Classification {
        retryOn = List.copyOf(retryOn);
        doNotRetryOn = List.copyOf(doNotRetryOn);
        statuses = Set.copyOf(statuses);
        kinds = Set.copyOf(kinds);
    }

    /**
     * Returns why the failure may not be retried, or null when a retry is allowed. Throws whatever {@code retryIf}
     * throws.
     */
    @Nullable
    Reason refusal(Failure failure) {
        if (failure instanceof Failure.Thrown thrown) {
            return refusalOf(thrown);
        }
        if (failure instanceof Failure.Result result) {
            return retriesResult(result.value()) ? null : Reason.NOT_RETRYABLE;
        }
        return !retryNone && allowsValue(failure) ? null : Reason.NOT_RETRYABLE;
    }

    /**
     * Returns true when {@code retryOnResult} refuses this value. A predicate that throws refuses nothing: the work
     * succeeded.
     */
    boolean retriesResult(@Nullable Object value) {
        if (retryOnResult == null || retryNone) {
            return false;
        }
        try {
            return retryOnResult.test(value);
        } catch (Throwable mistake) {
            GuardedLog.warn("retryOnResult threw and counts as false: ", mistake);
            return false;
        }
    }

    private @Nullable Reason refusalOf(Failure.Thrown thrown) {
        for (Throwable at : thrown.reading().chain()) {
            if (at instanceof InterruptedException) {
                return Reason.INTERRUPTED;
            }
            if (at instanceof VirtualMachineError
                    || at instanceof LinkageError
                    || isAny(doNotRetryOn, at)
                    || (at instanceof RetryExhaustedException && !retryExhausted)) {
                return Reason.NOT_RETRYABLE;
            }
            if (isAny(retryOn, at)) {
                return exhaustionRefused(thrown) || retryNone ? Reason.NOT_RETRYABLE : null;
            }
            if (at instanceof AttemptTimeoutException) {
                // Below a time-out the chain holds the interrupt of our own time limit, which is not an interrupt of
                // the caller.
                break;
            }
        }
        if (exhaustionRefused(thrown) || retryNone) {
            return Reason.NOT_RETRYABLE;
        }
        return !hasAllowRule()
                        || allowsStatusOf(thrown.reading())
                        || allowsKindOf(thrown.reading())
                        || allowsByPredicate(thrown.reading())
                ? null
                : Reason.NOT_RETRYABLE;
    }

    private boolean exhaustionRefused(Failure.Thrown thrown) {
        return thrown.exhausted() && !retryExhausted;
    }

    private boolean allowsValue(Failure failure) {
        if (!hasAllowRule()) {
            return true;
        }
        if (failure instanceof Failure.Status status) {
            return statuses.contains(status.code());
        }
        return failure instanceof Failure.Kind kind && kinds.contains(kind.name());
    }

    private boolean allowsStatusOf(ThrownReading error) {
        return error.status().isPresent() && statuses.contains(error.status().getAsInt());
    }

    private boolean allowsKindOf(ThrownReading error) {
        return error.kind().isPresent() && kinds.contains(error.kind().get());
    }

    private boolean allowsByPredicate(ThrownReading error) {
        return retryIf != null && retryIf.test(CauseChain.unwrap(error.chain()));
    }

    private boolean hasAllowRule() {
        return !retryOn.isEmpty() || !statuses.isEmpty() || !kinds.isEmpty() || retryIf != null;
    }

    private static boolean isAny(List<Class<? extends Throwable>> types, Throwable error) {
        for (int i = 0; i < types.size(); i++) {
            if (types.get(i).isInstance(error)) {
                return true;
            }
        }
        return false;
    }

    /** The rules while a policy is being built. */
    static final class Rules {
        final List<Class<? extends Throwable>> retryOn = new ArrayList<>();
        final List<Class<? extends Throwable>> doNotRetryOn = new ArrayList<>();
        final Set<Integer> statuses = new LinkedHashSet<>();
        final Set<String> kinds = new LinkedHashSet<>();

        @Nullable
        Predicate<? super Throwable> retryIf;

        @Nullable
        Predicate<Object> retryOnResult;

        boolean retryNone;
        boolean retryExhausted;

        Rules() {}

        Rules(Classification from) {
            retryOn.addAll(from.retryOn);
            doNotRetryOn.addAll(from.doNotRetryOn);
            statuses.addAll(from.statuses);
            kinds.addAll(from.kinds);
            retryIf = from.retryIf;
            retryOnResult = from.retryOnResult;
            retryNone = from.retryNone;
            retryExhausted = from.retryExhausted;
        }

        Classification build() {
            return new Classification(
                    retryOn, doNotRetryOn, statuses, kinds, retryIf, retryOnResult, retryNone, retryExhausted);
        }
    }
}

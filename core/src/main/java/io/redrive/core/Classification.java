package io.redrive.core;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which failures are worth another attempt.
 *
 * <p>An exception's cause chain is walked from the outside in; at each depth what is never retried is asked first, then
 * {@code doNotRetryOn}, then {@code retryOn}, and the first type that matches decides. Then statuses and kinds, then the
 * predicate. With no allow rule everything is retryable; with any, what matches none is not.
 */
record Classification(
        List<Class<? extends Throwable>> retryOn,
        List<Class<? extends Throwable>> doNotRetryOn,
        Set<Integer> statuses,
        Set<String> kinds,
        Predicate<? super Throwable> retryIf,
        Predicate<Object> retryOnResult,
        boolean retryNone,
        boolean retryExhausted) {

    Classification {
        retryOn = List.copyOf(retryOn);
        doNotRetryOn = List.copyOf(doNotRetryOn);
        statuses = Set.copyOf(statuses);
        kinds = Set.copyOf(kinds);
    }

    /** Null when the failure may be retried, else why it may not; throws what {@code retryIf} throws. */
    Reason refusal(Failure failure) {
        if (failure instanceof Failure.Thrown thrown) {
            return refusalOf(thrown);
        }
        if (failure instanceof Failure.Result result) {
            return retriesResult(result.value()) ? null : Reason.NOT_RETRYABLE;
        }
        return !retryNone && allowsValue(failure) ? null : Reason.NOT_RETRYABLE;
    }

    /** True when this returned value is to be retried. A predicate that throws counts as "no": the work succeeded. */
    boolean retriesResult(Object value) {
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

    private Reason refusalOf(Failure.Thrown thrown) {
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
                // Inside a time-out is what the attempt made of our own interrupt; that is no interrupt of the caller.
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
}

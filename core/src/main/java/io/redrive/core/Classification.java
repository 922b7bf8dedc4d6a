package io.redrive.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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

    private static final Logger LOG = System.getLogger(Classification.class.getPackageName());

    Classification {
        retryOn = List.copyOf(retryOn);
        doNotRetryOn = List.copyOf(doNotRetryOn);
        statuses = Set.copyOf(statuses);
        kinds = Set.copyOf(kinds);
    }

    /** Null when the failure may be retried, else why it may not. */
    Reason refusal(Failure failure) {
        if (failure instanceof Failure.Thrown thrown) {
            return refusalOf(thrown);
        }
        if (failure instanceof Failure.Result result) {
            return retriesResult(result.value()) ? null : Reason.NOT_RETRYABLE;
        }
        return !retryNone && allowsValue(failure) ? null : Reason.NOT_RETRYABLE;
    }

    /** True when this returned value is to be retried. A predicate that throws counts as "no". */
    boolean retriesResult(Object value) {
        return retryOnResult != null && !retryNone && holds("retryOnResult", retryOnResult, value);
    }

    private Reason refusalOf(Failure.Thrown thrown) {
        Throwable at = thrown.error();
        for (int depth = 0; at != null && depth < CauseChain.MAX_DEPTH; depth++) {
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
            // Inside a time-out is what the attempt made of our own interrupt; that is no interrupt of the caller.
            at = at instanceof AttemptTimeoutException ? null : at.getCause();
        }
        if (exhaustionRefused(thrown) || retryNone) {
            return Reason.NOT_RETRYABLE;
        }
        return !hasAllowRule()
                        || allowsStatusOf(thrown.error())
                        || allowsKindOf(thrown.error())
                        || allowsByPredicate(thrown.error())
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

    private boolean allowsStatusOf(Throwable error) {
        if (statuses.isEmpty()) {
            return false;
        }
        HasStatus carrier = CauseChain.find(error, HasStatus.class);
        return carrier != null && statuses.contains(carrier.status());
    }

    private boolean allowsKindOf(Throwable error) {
        if (kinds.isEmpty()) {
            return false;
        }
        HasKind carrier = CauseChain.find(error, HasKind.class);
        return carrier != null && kinds.contains(carrier.kind());
    }

    private boolean allowsByPredicate(Throwable error) {
        return retryIf != null && holds("retryIf", retryIf, CauseChain.unwrap(error));
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

    private static <T> boolean holds(String rule, Predicate<? super T> predicate, T value) {
        try {
            return predicate.test(value);
        } catch (RuntimeException | Error e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            LOG.log(Level.WARNING, rule + " threw and counts as false: " + e, e);
            return false;
        }
    }
}

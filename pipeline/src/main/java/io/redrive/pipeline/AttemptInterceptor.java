package io.redrive.pipeline;

import io.redrive.events.Claim;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Runs around each attempt of a handler, on the handler's thread and within its time limit; for example for tracing. An
 * exception of the interceptor is an exception of the attempt. Thread-safe.
 */
@FunctionalInterface
public interface AttemptInterceptor {

    /** Only runs the attempt. */
    AttemptInterceptor NONE = (claims, attempt) -> attempt.call();

    /**
     * Runs {@code attempt} once and returns its outcome.
     *
     * @param claims the claim of a single event, or the claims of a batch
     */
    Outcome attempt(List<Claim> claims, Callable<Outcome> attempt) throws Exception;

    /** Returns an interceptor that runs this interceptor around {@code inner}. */
    default AttemptInterceptor around(AttemptInterceptor inner) {
        return (claims, attempt) -> attempt(claims, () -> inner.attempt(claims, attempt));
    }
}

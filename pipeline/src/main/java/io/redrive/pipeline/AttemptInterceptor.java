package io.redrive.pipeline;

import io.redrive.events.Claim;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Goes around each attempt of a handler, on the handler's thread and within its time limit; for tracing and the like. What it
 * throws is what the attempt threw. Thread-safe.
 */
@FunctionalInterface
public interface AttemptInterceptor {

    /** Nothing around. */
    AttemptInterceptor NONE = (claims, attempt) -> attempt.call();

    /** Runs {@code attempt}, once, at these claims: one of a single event, or those of a batch. */
    Outcome attempt(List<Claim> claims, Callable<Outcome> attempt) throws Exception;

    /** This one, with {@code inner} inside of it. */
    default AttemptInterceptor around(AttemptInterceptor inner) {
        return (claims, attempt) -> attempt(claims, () -> inner.attempt(claims, attempt));
    }
}

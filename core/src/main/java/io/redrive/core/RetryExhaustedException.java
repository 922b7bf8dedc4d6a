package io.redrive.core;

import org.jspecify.annotations.Nullable;

/** A call exhausted its attempts and has no original exception to throw, or the caller wants one exception type. */
public class RetryExhaustedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final int attempts;

    /** Creates the exception of a call that gave up; {@code cause} is the last exception, or null. */
    public RetryExhaustedException(String name, Reason reason, int attempts, @Nullable Throwable cause) {
        super(
                name + " gave up after " + attempts + (attempts == 1 ? " attempt" : " attempts") + ": " + reason.code(),
                cause);
        this.reason = reason;
        this.attempts = attempts;
    }

    /** Returns why the call gave up. */
    public Reason reason() {
        return reason;
    }

    /** Returns the number of attempts. */
    public int attempts() {
        return attempts;
    }
}

package io.redrive.core;

/** Retrying ran out where there is no original exception to throw, or where the caller wants one type for it. */
public class RetryExhaustedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final int attempts;

    /** After {@code attempts} attempts, for {@code reason}; {@code cause} is the last failure, or null. */
    public RetryExhaustedException(String name, Reason reason, int attempts, Throwable cause) {
        super(
                name + " gave up after " + attempts + (attempts == 1 ? " attempt" : " attempts") + ": " + reason.code(),
                cause);
        this.reason = reason;
        this.attempts = attempts;
    }

    /** Why it gave up. */
    public Reason reason() {
        return reason;
    }

    /** How many attempts were made. */
    public int attempts() {
        return attempts;
    }
}

package io.redrive.core;

/** Thrown by code that knows its failure is worth another try; extend it, or wrap with it. */
public class RetryableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With a message. */
    public RetryableException(String message) {
        super(message);
    }

    /** With a message and a cause. */
    public RetryableException(String message, Throwable cause) {
        super(message, cause);
    }
}

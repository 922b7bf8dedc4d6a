package io.redrive.core;

/** An exception for code that knows its failure is worth another try; extend it or wrap the cause with it. */
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

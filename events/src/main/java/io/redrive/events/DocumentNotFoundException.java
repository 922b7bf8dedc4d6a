package io.redrive.events;

import io.redrive.core.RetryableException;

/** Thrown by a handler whose event came before the document it speaks of could be read; see {@link EventRetry}. */
public class DocumentNotFoundException extends RetryableException {

    private static final long serialVersionUID = 1L;

    /** With a message. */
    public DocumentNotFoundException(String message) {
        super(message);
    }

    /** With a message and a cause. */
    public DocumentNotFoundException(String message, Throwable cause) {
        super(message, cause);
    }
}

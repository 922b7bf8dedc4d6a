package io.redrive.events;

import io.redrive.core.RetryableException;

/** Thrown by a handler that cannot read the document of its event yet; see {@link EventRetry}. */
public class DocumentNotFoundException extends RetryableException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception without a cause. */
    public DocumentNotFoundException(String message) {
        super(message);
    }

    /** Creates an exception with a cause. */
    public DocumentNotFoundException(String message, Throwable cause) {
        super(message, cause);
    }
}

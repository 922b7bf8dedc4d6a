package io.redrive.events;

/**
 * The store could not complete a call: the disk is full, the file is locked, the server is away. The message says
 * what failed, why, and the remedy. The call may be repeated once the cause is gone; a call in one transaction has
 * written everything or nothing.
 */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception without a cause. */
    public StoreException(String message) {
        super(message);
    }

    /** Creates an exception with the database's exception as the cause. */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.redrive.events;

/**
 * The store could not do what was asked: its disk is full, its file is locked, its server is away. The message says what
 * failed, why, and what to do. The call may be repeated once the cause is gone; a call that wrote in one transaction has
 * written all of it or nothing.
 */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With no cause behind it. */
    public StoreException(String message) {
        super(message);
    }

    /** Keeps what the database said. */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.redrive.items;

/** A source could not be read, or is not the one it was when the run began; the run stopped and can be resumed. */
public final class SourceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Made by a run. */
    public SourceException(String message, Throwable cause) {
        super(message, cause);
    }
}

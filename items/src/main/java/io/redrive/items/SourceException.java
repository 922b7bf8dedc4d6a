package io.redrive.items;

import org.jspecify.annotations.Nullable;

/** Thrown by a run whose source cannot be read, or differs from the source of earlier processes. The run can be resumed. */
public final class SourceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Called by a run. */
    public SourceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

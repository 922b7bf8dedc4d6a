package io.redrive.pipelinefiles;

import org.jspecify.annotations.Nullable;

/** A value of a pipeline file is refused. The message has file, line, key, rule and value. */
final class RefusedValueException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    RefusedValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

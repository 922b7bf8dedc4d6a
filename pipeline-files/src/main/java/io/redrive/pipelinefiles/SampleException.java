package io.redrive.pipelinefiles;

import io.redrive.core.HasKind;

/** The sample itself will not do, at whatever attempt: never retried. */
public final class SampleException extends RuntimeException implements HasKind {

    private static final long serialVersionUID = 1L;

    SampleException(String message) {
        super(message);
    }

    SampleException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public String kind() {
        return "bad_sample";
    }

    /** The message is written for the reader of a report; the class adds nothing. */
    @Override
    public String toString() {
        return getMessage();
    }
}

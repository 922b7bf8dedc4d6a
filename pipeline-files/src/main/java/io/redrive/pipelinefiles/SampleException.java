package io.redrive.pipelinefiles;

import io.redrive.core.HasKind;

/** A stage cannot handle this sample at any attempt. Never retried. */
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

    /** Returns the message alone, because reports show this text to users. */
    @Override
    public String toString() {
        return String.valueOf(getMessage());
    }
}

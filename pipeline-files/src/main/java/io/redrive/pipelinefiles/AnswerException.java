package io.redrive.pipelinefiles;

import io.redrive.core.HasKind;

/** A service or a command answered, but not with what was agreed; another attempt may do better. */
public final class AnswerException extends RuntimeException implements HasKind {

    private static final long serialVersionUID = 1L;

    AnswerException(String message) {
        super(message);
    }

    AnswerException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public String kind() {
        return "bad_answer";
    }

    /** The message is written for the reader of a report; the class adds nothing. */
    @Override
    public String toString() {
        return getMessage();
    }
}

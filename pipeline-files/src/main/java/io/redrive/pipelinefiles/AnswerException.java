package io.redrive.pipelinefiles;

import io.redrive.core.HasKind;

/** A service or a command gave an answer that does not follow the rules. Another attempt may succeed. */
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

    /** Returns the message alone, because reports show this text to users. */
    @Override
    public String toString() {
        return String.valueOf(getMessage());
    }
}

package io.redrive.pipelinefiles;

import io.redrive.core.HasKind;
import io.redrive.core.HasRetryAfter;
import java.time.Duration;
import java.util.Optional;

/** A command failed: it ended, or it said so. */
public final class CommandException extends RuntimeException implements HasKind, HasRetryAfter {

    private static final long serialVersionUID = 1L;

    private final String kind;
    private final Duration retryAfter;

    CommandException(String kind, String message, Duration retryAfter) {
        super(message);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The message is written for the reader of a report; the class adds nothing. */
    @Override
    public String toString() {
        return getMessage();
    }
}

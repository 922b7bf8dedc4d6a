package io.redrive.pipelinefiles;

import io.redrive.core.HasKind;
import io.redrive.core.HasRetryAfter;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The process of a command ended or closed its output before the answer, or the answer was an error. */
public final class CommandException extends RuntimeException implements HasKind, HasRetryAfter {

    private static final long serialVersionUID = 1L;

    private final String kind;
    private final @Nullable Duration retryAfter;

    CommandException(String kind, String message) {
        this(kind, message, Optional.empty());
    }

    CommandException(String kind, String message, Optional<Duration> retryAfter) {
        super(message);
        this.kind = kind;
        this.retryAfter = retryAfter.orElse(null);
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** Returns the message alone, because reports show this text to users. */
    @Override
    public String toString() {
        return String.valueOf(getMessage());
    }
}

package io.redrive.core;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** An attempt ran longer than its time limit and was interrupted. The kind of this failure is {@value #KIND}. */
public class AttemptTimeoutException extends TimeoutException implements HasKind {

    /** The kind for {@code retryOnKind}, and the type of this failure in reports and dead letters. */
    public static final String KIND = "timeout";

    private static final long serialVersionUID = 1L;

    /** Of an attempt limited to {@code limit}. */
    public AttemptTimeoutException(Duration limit) {
        super("attempt exceeded its time limit of " + DurationText.format(limit));
    }

    @Override
    public String kind() {
        return KIND;
    }
}

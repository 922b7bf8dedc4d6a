package io.redrive.core;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** One attempt ran longer than its time limit and was interrupted. */
public class AttemptTimeoutException extends TimeoutException {

    private static final long serialVersionUID = 1L;

    /** Of an attempt limited to {@code limit}. */
    public AttemptTimeoutException(Duration limit) {
        super("attempt exceeded its time limit of " + DurationText.format(limit));
    }
}

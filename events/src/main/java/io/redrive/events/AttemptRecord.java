package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * One line of an event's history.
 *
 * @param number the attempt, counted from 1
 * @param at when it began
 * @param node where it ran
 * @param duration how long it ran
 * @param errorType short type of the failure, such as {@code IOException} or {@code http_503}
 * @param message what it said, cut at {@link #MAX_MESSAGE} characters
 * @param decision what followed: {@code retry} or {@code dead}
 * @param why the delay chosen, or the reason for giving up
 */
public record AttemptRecord(
        int number,
        Instant at,
        String node,
        Duration duration,
        String errorType,
        String message,
        String decision,
        String why) {

    /** Characters kept of an error message. */
    public static final int MAX_MESSAGE = 2_000;

    /** Cuts what is too long and mends what no store could keep; an exception without a message says "", not null. */
    public AttemptRecord {
        message = message == null ? "" : Texts.cut(Texts.wellFormed(message), MAX_MESSAGE);
        errorType = Texts.cut(Texts.wellFormed(Objects.requireNonNull(errorType, "errorType")), Texts.MAX_LENGTH);
    }
}

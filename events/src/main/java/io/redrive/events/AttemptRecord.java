package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The record of one failed attempt in an event's history.
 *
 * @param number the number of the attempt, counted from 1
 * @param at when the attempt began
 * @param node the node that ran the handler
 * @param duration how long the handler ran
 * @param errorType the short type of the failure, for example {@code IOException} or {@code http_503}
 * @param message the message of the failure, cut at {@link #MAX_MESSAGE} characters
 * @param decision the decision: {@code retry} or {@code dead}
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

    /** Cuts long texts and replaces characters that no store can keep; a missing message becomes the empty string. */
    public AttemptRecord {
        message = message == null ? "" : Texts.cut(Texts.wellFormed(message), MAX_MESSAGE);
        errorType = Texts.cut(Texts.wellFormed(Objects.requireNonNull(errorType, "errorType")), Texts.MAX_LENGTH);
    }
}

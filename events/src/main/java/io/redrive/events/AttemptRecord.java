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
 * @param message the message of the failure, followed by an answer of the failing side where there is one; cut at {@link #MAX_MESSAGE} characters
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

    /** Stands in a message between the failure and the answer of the failing side. */
    public static final String ANSWER = "\n\nanswer: ";

    /** Characters kept of an error message. */
    public static final int MAX_MESSAGE = 10_000;

    /** Cuts long texts and replaces characters that no store can keep; a missing message becomes the empty string. */
    public AttemptRecord {
        message = message == null ? "" : Texts.cut(Texts.wellFormed(message), MAX_MESSAGE);
        errorType = Texts.cut(Texts.wellFormed(Objects.requireNonNull(errorType, "errorType")), Texts.MAX_LENGTH);
    }

    /** Returns the message without an answer of the failing side, for logs. */
    public String summary() {
        int answer = message.indexOf(ANSWER);
        return answer < 0 ? message : message.substring(0, answer);
    }
}

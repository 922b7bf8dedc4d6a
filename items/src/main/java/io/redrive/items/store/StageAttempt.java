package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * One line of the audit trail.
 *
 * @param ordinal the sample's place in the source, from 0
 * @param sequence the line's place among those of the sample, from 1
 * @param stage the stage's name; {@value #SOURCE} for a sample that could not be read
 * @param configHash {@code Stage.configHash} of the stage as it was
 * @param attempt the attempt at this stage, from 1
 * @param status how it ended
 * @param errorType short type of the failure, such as {@code http_429}; empty on success
 * @param message what the failure said, or why the sample was skipped; cut at {@link #MAX_MESSAGE} characters
 * @param delay the wait before the next attempt; zero when there is none
 * @param duration how long it ran
 * @param at when it began
 */
public record StageAttempt(
        long ordinal,
        int sequence,
        String stage,
        String configHash,
        int attempt,
        AttemptStatus status,
        String errorType,
        String message,
        Duration delay,
        Duration duration,
        Instant at) {

    /** Characters kept of a message. */
    public static final int MAX_MESSAGE = 1_000;

    /** The stage of samples that could not be read. */
    public static final String SOURCE = "source";

    /** Cuts what is too long and mends what no store could keep. */
    public StageAttempt {
        Objects.requireNonNull(status, "status");
        errorType = Texts.kept(errorType, Texts.MAX_NAME);
        message = Texts.kept(message, MAX_MESSAGE);
    }
}

package io.redrive.items.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * An attempt of a sample at a stage: one line of the audit trail.
 *
 * @param ordinal the position of the sample in the source, from 0
 * @param sequence the number of the attempt over all stages of the sample, from 1
 * @param stage the name of the stage; {@value #SOURCE} for a sample that could not be read
 * @param configHash {@code Stage.configHash} of the stage at the time of the attempt
 * @param attempt the number of the attempt at this stage, from 1
 * @param status the result
 * @param errorType short type of the failure, such as {@code http_429}; empty on success
 * @param message the message of the failure, or the reason of the skip; cut at {@link #MAX_MESSAGE} characters
 * @param delay the wait before the next attempt; zero without a next attempt
 * @param duration the duration of the attempt
 * @param at when the attempt began
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

    /** The maximum number of characters in a message. */
    public static final int MAX_MESSAGE = 1_000;

    /** The stage name for samples that could not be read. */
    public static final String SOURCE = "source";

    /** Cuts long texts, and replaces characters that some databases refuse. */
    public StageAttempt {
        Objects.requireNonNull(status, "status");
        errorType = Texts.kept(errorType, Texts.MAX_NAME);
        message = Texts.kept(message, MAX_MESSAGE);
    }
}

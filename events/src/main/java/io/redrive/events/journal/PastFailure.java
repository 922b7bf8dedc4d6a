package io.redrive.events.journal;

import java.time.Duration;
import java.time.Instant;

/**
 * A failed attempt of an event that finished later.
 *
 * @param number the number of the attempt, counted from 1
 * @param at when the attempt began
 * @param node the node that ran the handler
 * @param duration how long the handler ran
 * @param errorType the short type of the failure
 * @param message the message of the failure
 * @param decision the decision: {@code retry} or {@code dead}
 */
public record PastFailure(
        int number, Instant at, String node, Duration duration, String errorType, String message, String decision) {}

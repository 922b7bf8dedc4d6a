package io.redrive.events;

import java.time.Instant;
import java.util.List;

/**
 * Dead letters with the same cause.
 *
 * @param fingerprint the cause
 * @param errorType the short type of the cause
 * @param example the last error of one letter
 * @param count the number of letters
 * @param names the event names of the letters, at most ten
 * @param firstDead when the first letter was given up
 * @param lastDead when the last letter was given up
 */
public record LetterGroup(
        String fingerprint,
        String errorType,
        String example,
        long count,
        List<String> names,
        Instant firstDead,
        Instant lastDead) {}

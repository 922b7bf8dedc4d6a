package io.redrive.events;

import java.time.Instant;
import java.util.List;

/**
 * Dead letters with one cause.
 *
 * @param fingerprint the cause
 * @param errorType its short type
 * @param example what one of them said
 * @param count how many letters
 * @param names the event names concerned, at most ten
 * @param firstDead when the first was given up
 * @param lastDead when the last was
 */
public record LetterGroup(
        String fingerprint,
        String errorType,
        String example,
        long count,
        List<String> names,
        Instant firstDead,
        Instant lastDead) {}

package io.redrive.pipeline;

import io.redrive.core.Reason;
import java.time.Duration;
import java.util.Set;

/**
 * Which dead letters a pipeline redrives by itself: letters whose reason is likely to pass. A letter is redriven some
 * time after its death and a limited number of times, so that no event circulates for ever. Default {@link #STANDARD};
 * {@link #OFF} for none.
 *
 * @param reasons the reasons of the letters to redrive; none switches automatic redrive off
 * @param after how long a letter lies before it is redriven, at least 1 minute
 * @param timesPerLetter how often a letter is redriven at most, 1 to 100
 * @param lettersPerMinute how many letters all nodes together redrive in a minute at most, 1 to 1,000
 */
public record AutomaticRedrive(Set<Reason> reasons, Duration after, int timesPerLetter, int lettersPerMinute) {

    /** Letters that died of a time-out, an hour later, at most 3 times each, at most 100 in a minute. */
    public static final AutomaticRedrive STANDARD =
            new AutomaticRedrive(Set.of(Reason.TIMEOUT), Duration.ofHours(1), 3, 100);

    /** No automatic redrive. */
    public static final AutomaticRedrive OFF = STANDARD.withReasons();

    /** Refuses values out of range. */
    public AutomaticRedrive {
        reasons = Set.copyOf(reasons);
        if (after.compareTo(Duration.ofMinutes(1)) < 0) {
            throw new IllegalArgumentException("after must be at least 1 minute, got " + after);
        }
        Range.require("timesPerLetter", timesPerLetter, 1, 100);
        Range.require("lettersPerMinute", lettersPerMinute, 1, 1_000);
    }

    /** For letters of these reasons. */
    public AutomaticRedrive withReasons(Reason... only) {
        return new AutomaticRedrive(Set.of(only), after, timesPerLetter, lettersPerMinute);
    }

    /** After another time. */
    public AutomaticRedrive withAfter(Duration value) {
        return new AutomaticRedrive(reasons, value, timesPerLetter, lettersPerMinute);
    }

    /** With another limit for each letter. */
    public AutomaticRedrive withTimesPerLetter(int value) {
        return new AutomaticRedrive(reasons, after, value, lettersPerMinute);
    }

    /** With another limit for a minute. */
    public AutomaticRedrive withLettersPerMinute(int value) {
        return new AutomaticRedrive(reasons, after, timesPerLetter, value);
    }
}

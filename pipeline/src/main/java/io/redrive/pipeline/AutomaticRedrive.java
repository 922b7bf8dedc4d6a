package io.redrive.pipeline;

import io.redrive.core.Reason;
import java.time.Duration;
import java.util.Set;

/**
 * Which dead letters a pipeline brings back by itself: those whose reason is likely to pass. Each letter gets its chance
 * some time after it died and only so many times, so that nothing goes round for ever. {@link #STANDARD} unless told
 * otherwise, {@link #OFF} for none.
 *
 * @param reasons of which letters; none switches it off
 * @param after how long a letter lies before it is brought back
 * @param timesPerLetter how often one letter is brought back at most
 * @param lettersPerMinute how many are brought back at most in a minute, by all nodes together
 */
public record AutomaticRedrive(Set<Reason> reasons, Duration after, int timesPerLetter, int lettersPerMinute) {

    /** Letters that died of a time-out, an hour later, at most 3 times each, at most 100 in a minute. */
    public static final AutomaticRedrive STANDARD =
            new AutomaticRedrive(Set.of(Reason.TIMEOUT), Duration.ofHours(1), 3, 100);

    /** None at all. */
    public static final AutomaticRedrive OFF = STANDARD.withReasons();

    /** Refuses what would spin. */
    public AutomaticRedrive {
        reasons = Set.copyOf(reasons);
        if (after.compareTo(Duration.ofMinutes(1)) < 0) {
            throw new IllegalArgumentException("after must be at least 1 minute, got " + after);
        }
        Profile.require("timesPerLetter", timesPerLetter, 1, 100);
        Profile.require("lettersPerMinute", lettersPerMinute, 1, 1_000);
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

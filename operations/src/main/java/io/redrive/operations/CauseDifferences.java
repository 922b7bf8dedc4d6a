package io.redrive.operations;

import io.redrive.events.cause.Cause;
import java.util.List;

/**
 * What separates the letters of a cause from handled events.
 *
 * @param cause the cause
 * @param letters the letters of the cause now
 * @param compared the letters that were compared: of the newest 1,000, those of the names compared
 * @param names one comparison for each event name, the name with most letters first; at most {@link #MAX_NAMES}
 */
public record CauseDifferences(Cause cause, long letters, int compared, List<NameDifferences> names) {

    /** The most event names that are compared: those with most letters. */
    public static final int MAX_NAMES = 20;

    /** Copies the list. */
    public CauseDifferences {
        names = List.copyOf(names);
    }
}

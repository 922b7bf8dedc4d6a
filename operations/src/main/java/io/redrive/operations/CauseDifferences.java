package io.redrive.operations;

import io.redrive.events.cause.Cause;
import java.util.List;

/**
 * What separates the letters of a cause from handled events.
 *
 * @param cause the cause
 * @param letters the letters of the cause now
 * @param compared the letters that were compared: the newest of them
 * @param names one comparison for each event name of the compared letters, the name with most letters first
 */
public record CauseDifferences(Cause cause, long letters, int compared, List<NameDifferences> names) {

    /** Copies the list. */
    public CauseDifferences {
        names = List.copyOf(names);
    }
}

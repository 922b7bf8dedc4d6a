package io.redrive.operations;

import io.redrive.events.LetterFilter;
import java.util.List;

/**
 * The letters of a selection at one moment, before a command changes them.
 *
 * @param filter selects the letters; letters that died after the preview are left out
 * @param letters the number of letters that a command would change
 * @param missing ids of the selection that no letter has, in order: mistyped, redriven or purged
 */
public record Preview(LetterFilter filter, long letters, List<Long> missing) {

    /** Copies the ids. */
    public Preview {
        missing = List.copyOf(missing);
    }
}

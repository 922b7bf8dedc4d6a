package io.redrive.events;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A new payload for a letter, valid only while the letter still has the payload that the change was made from.
 *
 * @param letter the id of the letter
 * @param before the payload that the letter must have
 * @param after the new payload
 */
public record PayloadChange(long letter, byte[] before, byte[] after) {

    /** Refuses a change that would change nothing. */
    public PayloadChange {
        if (Arrays.equals(before, after)) {
            throw new IllegalArgumentException(
                    "after must differ from before, got the same " + after.length + " bytes for letter " + letter);
        }
    }

    /**
     * Returns a copy of the changes of one call of {@link DeadLetters#replace}.
     *
     * @throws IllegalArgumentException when there are more than {@link DeadLetters#MAX_PAGE}, or two of one letter
     */
    public static List<PayloadChange> page(List<PayloadChange> changes) {
        if (changes.size() > DeadLetters.MAX_PAGE) {
            throw new IllegalArgumentException(
                    "changes must be at most " + DeadLetters.MAX_PAGE + ", got " + changes.size());
        }
        Set<Long> letters = new HashSet<>();
        for (PayloadChange change : changes) {
            if (!letters.add(change.letter)) {
                throw new IllegalArgumentException(
                        "changes must name each letter once, got letter " + change.letter + " twice");
            }
        }
        return List.copyOf(changes);
    }
}

package io.redrive.operations;

import io.redrive.operations.difference.Difference;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A comparison of letters with handled events of the same name.
 *
 * @param name the event name
 * @param letters the number of compared letters
 * @param died when the compared letters died
 * @param handled the number of handled events in the sample
 * @param sampled when the events of the sample were handled; empty without a sample
 * @param handledLately the events of the name that were handled within the last 48 hours, according to the store's activity
 * @param enough false when there are so few letters or handled events that hardly any difference could be told from chance
 * @param differences the differences, the strongest first; empty when nothing separates the letters, or without a sample
 */
public record NameDifferences(
        String name,
        int letters,
        Period died,
        int handled,
        Optional<Period> sampled,
        long handledLately,
        boolean enough,
        List<Difference> differences) {

    /** Copies the list. */
    public NameDifferences {
        differences = List.copyOf(differences);
    }

    /**
     * A stretch of time.
     *
     * @param from the first moment
     * @param until the last moment
     */
    public record Period(Instant from, Instant until) {}
}

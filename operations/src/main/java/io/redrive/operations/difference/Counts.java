package io.redrive.operations.difference;

import java.util.Map;

/**
 * How often each value of a subject occurs, for a subject that is counted outside of documents.
 *
 * @param subject the subject
 * @param letters the letters by value
 * @param handled the handled events by value
 */
public record Counts(Subject subject, Map<String, Long> letters, Map<String, Long> handled) {

    /** Copies the maps. */
    public Counts {
        letters = Map.copyOf(letters);
        handled = Map.copyOf(handled);
    }

    /** Returns the versions of the service under which letters died and events were handled. */
    public static Counts ofVersions(Map<String, Long> letters, Map<String, Long> handled) {
        return new Counts(Subject.of(Subject.Kind.VERSION), letters, handled);
    }
}

package io.redrive.operations.difference;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A letter or a handled event as subjects and values. Made by an {@link EventDocumentReader}.
 */
public final class EventDocument {

    private final Map<Subject, List<Value>> values;
    private final boolean complete;
    private final Instant at;

    /**
     * Keeps the map.
     *
     * @param complete false when the payload may have fields that the map does not have
     */
    EventDocument(Map<Subject, List<Value>> values, boolean complete, Instant at) {
        this.values = values;
        this.complete = complete;
        this.at = at;
    }

    Map<Subject, List<Value>> values() {
        return values;
    }

    List<Value> of(Subject subject) {
        return values.getOrDefault(subject, List.of());
    }

    /** Returns true when the document tells whether it has the subject. */
    boolean knows(Subject subject) {
        return complete || !subject.isField() || values.containsKey(subject);
    }

    /** Returns true when the document has no further fields. */
    boolean isComplete() {
        return complete;
    }

    /** Returns when the event was handled or died. */
    Instant at() {
        return at;
    }
}

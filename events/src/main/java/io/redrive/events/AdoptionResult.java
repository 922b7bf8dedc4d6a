package io.redrive.events;

import java.util.Set;

/** The answer to {@link Adoptions#adopt}. */
public sealed interface AdoptionResult {

    /**
     * The store has the events.
     *
     * @param places the places that this call settled; the other places were settled before
     */
    record Adopted(Set<Long> places) implements AdoptionResult {

        /** Copies the set. */
        public Adopted {
            places = Set.copyOf(places);
        }
    }

    /**
     * The caller no longer owns the bookmark, and the store changed nothing.
     *
     * @param epoch the epoch of the bookmark; 0 when the bookmark does not exist
     */
    record Fenced(long epoch) implements AdoptionResult {}
}

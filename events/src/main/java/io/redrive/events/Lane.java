package io.redrive.events;

import java.util.List;

/** A queue of its own, claimed from with its own demand, so that a flood in one does not hold up another. */
public enum Lane {
    /** Events of priority high and critical. */
    CRITICAL(Priority.CRITICAL, Priority.HIGH),
    /** Events of priority normal and low. */
    DOMAIN(Priority.NORMAL, Priority.LOW),
    /**
     * Events that were claimed when a process died, twice or more often, whatever their priority. Claimed one at a time, so
     * that the one that kills processes stands alone and its neighbours are not blamed.
     */
    SUSPECT();

    private final List<Priority> priorities;

    Lane(Priority... priorities) {
        this.priorities = List.of(priorities);
    }

    /** The priorities that travel here, most urgent first; none for {@link #SUSPECT}. */
    public List<Priority> priorities() {
        return priorities;
    }
}

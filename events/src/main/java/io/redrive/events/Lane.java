package io.redrive.events;

import java.util.List;

/** A separate queue, claimed with its own demand, so that a flood in one lane does not hold up another lane. */
public enum Lane {
    /** Events of priority high and critical. */
    CRITICAL(Priority.CRITICAL, Priority.HIGH),
    /** Events of priority normal and low. */
    DOMAIN(Priority.NORMAL, Priority.LOW),
    /**
     * Events of any priority that were claimed twice or more by processes that died. Claimed one at a time, so that
     * an event that kills processes is alone and no neighbour is blamed.
     */
    SUSPECT();

    private final List<Priority> priorities;

    Lane(Priority... priorities) {
        this.priorities = List.of(priorities);
    }

    /** Returns the priorities of this lane, most urgent first; empty for {@link #SUSPECT}. */
    public List<Priority> priorities() {
        return priorities;
    }
}

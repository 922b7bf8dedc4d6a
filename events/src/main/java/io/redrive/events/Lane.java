package io.redrive.events;

import java.util.List;

/** A separate queue, claimed with its own demand, so that a flood in one lane does not hold up another lane. */
public enum Lane {
    /** Events of priority high and critical. */
    CRITICAL(Priority.CRITICAL, Priority.HIGH),
    /** Events of priority normal and low. */
    DOMAIN(Priority.NORMAL, Priority.LOW),
    /**
     * Suspects of any priority: events that were claimed by {@value Attempts#CRASHES_OF_A_SUSPECT} processes that
     * died. A node handles one suspect at a time, with no other event beside it, so that the next crash convicts no
     * neighbour.
     */
    SUSPECT(Priority.CRITICAL, Priority.HIGH, Priority.NORMAL, Priority.LOW);

    private final List<Priority> priorities;

    Lane(Priority... priorities) {
        this.priorities = List.of(priorities);
    }

    /** Returns the priorities of this lane, most urgent first. */
    public List<Priority> priorities() {
        return priorities;
    }
}

package io.redrive.events.journal;

import java.time.Instant;
import java.util.List;

/** Looks at the events of a store that are neither finished nor dead. Read only. Thread-safe. */
public interface UnfinishedEvents {

    /** The most waiting events that a search by name examines, in the order in which they are due. */
    int EXAMINED = 10_000;

    /**
     * Returns unfinished events in the order of their positions. A search by id, correlation id or ordering key finds
     * every event. A search by name examines {@link #EXAMINED} events that wait, and all events that are claimed or set
     * aside.
     *
     * @param limit the most events to return, up to {@link Journal#MAX_PAGE}
     */
    List<UnfinishedEvent> find(EventQuery query, int limit, Instant now);

    /**
     * Returns waiting events, soonest due first, of all names.
     *
     * @param limit the most events to return, up to {@link Journal#MAX_PAGE}
     */
    List<UnfinishedEvent> waiting(int limit, Instant now);
}

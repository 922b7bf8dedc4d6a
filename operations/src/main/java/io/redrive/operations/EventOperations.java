package io.redrive.operations;

import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.PublishResult;
import io.redrive.events.Scheduled;
import io.redrive.events.SetAside;
import io.redrive.events.StoreStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operator may know and do about events that are not dead. Thread-safe. */
public interface EventOperations {

    /** Returns the number of events in each state; events of names that are paused now count as paused. */
    StoreStats stats();

    /**
     * Returns events that are not due yet and that no claim has taken, by due time.
     *
     * @param limit the most events to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<Scheduled> scheduled(Scheduled.Filter filter, int limit);

    /**
     * Returns the names of waiting events that no live node has a handler for.
     *
     * @param limit the most names to look at
     */
    List<SetAside> unhandled(int limit);

    /**
     * Publishes events by hand: durable when the method returns. All events are one row in the record of actions.
     *
     * @return one result for each event, in order
     */
    List<PublishResult> publish(List<Event> events);

    /**
     * Publishes events of a program: durable when the method returns. A program publishes all the time, so the record of actions has
     * no row for its events.
     *
     * @return one result for each event, in order
     */
    List<PublishResult> accept(List<Event> events);

    /**
     * Removes an event that no claim has taken. An event with the same id may be published again.
     *
     * @param correlationId the correlation id as published; null for none
     * @return true when the event was removed; false when a claim has taken the event or the store does not have it
     */
    boolean cancel(String id, @Nullable String correlationId);
}

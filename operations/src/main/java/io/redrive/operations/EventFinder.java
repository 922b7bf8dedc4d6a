package io.redrive.operations;

import io.redrive.events.DeadLetters;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.PastFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Finds events in any state: waiting, claimed, dead or finished. Finished events are found for as long as the journal
 * remembers them. Read only. Thread-safe.
 *
 * <pre>{@code
 * operations.finder().find(EventQuery.correlationId("order-17"), 100).forEach(System.out::println);
 * }</pre>
 */
public interface EventFinder {

    /**
     * Returns events, by the time of their creation: a correlation id gives its whole chain in order. When more events
     * match than {@code limit}, those of each state that the store reads first are returned; of finished events, the last
     * ones.
     *
     * @param limit the most events to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<FoundEvent> find(EventQuery query, int limit);

    /**
     * Returns waiting events of all names, soonest due first.
     *
     * @param limit the most events to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<FoundEvent> waiting(int limit);

    /**
     * Returns waiting and claimed events of one name, in the order of their publication. Examines at most {@link
     * io.redrive.events.journal.UnfinishedEvents#EXAMINED} waiting events.
     *
     * @param limit the most events to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<FoundEvent> waiting(String name, int limit);

    /**
     * Returns the events that finished last, those finished last first.
     *
     * @param notBefore the earliest time of finishing
     * @param limit the most events to return, up to {@link DeadLetters#MAX_PAGE}
     */
    List<FinishedEvent> latest(Instant notBefore, int limit);

    /** Returns the events of one name that finished last, those finished last first. */
    List<FinishedEvent> latest(String name, int limit);

    /** Returns the failed attempts of a finished event, oldest first. */
    List<PastFailure> failures(FinishedEvent event);

    /** Returns when the oldest remembered event finished; empty when the journal is off or has no event yet. */
    Optional<Instant> rememberedSince();

    /** Returns how long this process remembers the events it finishes; zero when its journal is off. */
    Duration retention();
}

package io.redrive.events;

import java.time.Instant;
import java.util.List;

/**
 * The newest handled events of each name, for comparisons with dead letters. Bounded: at most {@link #MAX_PER_NAME} events of a
 * name and {@link #MAX_NAMES} names. Thread-safe.
 *
 * <p>A call that throws may or may not have taken effect; every call may be repeated. Times are those of the nodes' clocks.
 */
public interface HandledSamples {

    /** The most events of a name; older events make room. */
    int MAX_PER_NAME = 1_000;

    /** The most names; the names whose last event is oldest make room. */
    int MAX_NAMES = 1_000;

    /** The most events of one call of {@link #add}. */
    int MAX_ADDED = 1_000;

    /** The most events that one call of {@link #expire} removes. */
    int EXPIRED_AT_ONCE = 2_000;

    /**
     * Adds events, and removes the oldest events and names beyond the limits, in one transaction. Events that the sample already
     * has (same name, id and time) are skipped.
     *
     * @throws IllegalArgumentException when there are more than {@link #MAX_ADDED} events
     */
    void add(List<HandledEvent> events);

    /**
     * Returns events of this name, the one handled last first.
     *
     * @param limit the most events to return, up to {@link #MAX_PER_NAME}
     */
    List<HandledEvent> newest(String name, int limit);

    /**
     * Returns names with a sample, in alphabetical order.
     *
     * @param limit the most names to return, up to {@link #MAX_NAMES}
     */
    List<String> names(int limit);

    /**
     * Does one small step of housekeeping: removes events that were handled before this time.
     *
     * @return the number of removed events; zero when none is left
     */
    int expire(Instant before);

    /**
     * Checks the number of events of a call of {@link #add}, for implementations.
     *
     * @throws IllegalArgumentException when there are too many
     */
    static List<HandledEvent> requireAddable(List<HandledEvent> events) {
        if (events.size() > MAX_ADDED) {
            throw new IllegalArgumentException(
                    "add takes at most " + MAX_ADDED + " handled events at once, got " + events.size());
        }
        return List.copyOf(events);
    }

    /**
     * Checks a limit, for implementations.
     *
     * @throws IllegalArgumentException when the limit is not between 1 and {@code most}
     */
    static int requireLimit(int limit, int most) {
        if (limit < 1 || limit > most) {
            throw new IllegalArgumentException("limit must be between 1 and " + most + ", got " + limit);
        }
        return limit;
    }
}

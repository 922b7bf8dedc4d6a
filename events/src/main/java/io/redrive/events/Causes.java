package io.redrive.events;

import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseChange;
import io.redrive.events.cause.CausePlace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The causes of dead letters. A store counts each letter for its cause in the transaction in which the letter is written.
 * Thread-safe.
 */
public interface Causes {

    /** The most causes that one call returns. */
    int MAX_PAGE = DeadLetters.MAX_PAGE;

    /** Returns causes behind a place that are not merged into another cause, the one with the latest letter first. */
    List<Cause> latest(CausePlace after, int limit);

    /** {@link #latest(CausePlace, int)} from the start. */
    default List<Cause> latest(int limit) {
        return latest(CausePlace.START, limit);
    }

    /** Returns the causes that have an owner and are not merged; at most {@link #MAX_PAGE}. */
    List<Cause> assigned();

    /** Returns the causes that an operator called resolved or ignored and that are not merged; at most {@link #MAX_PAGE}. */
    List<Cause> decided();

    /** Returns the cause with this fingerprint, also a merged one. */
    Optional<Cause> find(String fingerprint);

    /**
     * Changes the care of a cause, and records the command, in one transaction.
     *
     * @return the cause after the change; empty when the store does not know the cause
     * @throws IllegalArgumentException when the change is not valid for the cause, or the cause is merged
     */
    Optional<Cause> change(String fingerprint, CauseChange change, OperatorCommand command, Instant now);

    /**
     * Merges a cause into another one: moves at most {@code limit} letters, and sends all future letters of {@code from} to {@code
     * into}. Call until zero is returned; a merge that was interrupted goes on with the next call.
     *
     * @return the number of moved letters
     * @throws IllegalArgumentException when one of the causes is unknown, both are the same, or {@code into} is merged
     */
    int merge(String from, String into, int limit, OperatorCommand command, Instant now);

    /**
     * Forgets sightings older than {@link Cause#DAYS} days, and causes without sightings, letters and care.
     *
     * @return the number of removed sightings and causes
     */
    int expire(Instant now);
}

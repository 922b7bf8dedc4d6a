package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Notes of new dead letters, for senders that pass letters on to other systems. A letter and its note are one transaction, so a
 * letter is noted exactly when it exists. A sender takes notes, sends their letters and removes the notes; notes that a killed
 * sender had taken are taken again when their lease is over. Thread-safe.
 *
 * <p>Each sender has an outbox with a name of its own. An outbox from which nobody has taken notes for {@link #FORGOTTEN} gets no
 * further notes, so that a sender that was switched off for good fills no table.
 */
public interface LetterOutbox {

    /** The most characters of the name of an outbox. */
    int MAX_NAME = 200;
    /** The most notes of one call. */
    int MAX_NOTES = 1_000;
    /** How long an outbox gets notes after the last {@link #open} or {@link #take}. */
    Duration FORGOTTEN = Duration.ofDays(30);

    /** Opens an outbox: letters that arrive from now on are noted. Changes nothing but the time when the outbox is open already. */
    void open(String name, Instant now);

    /**
     * Takes the oldest notes that no other sender has, for the length of a lease.
     *
     * @param limit the most notes to take, up to {@link #MAX_NOTES}
     * @return ids of letters, ascending; a letter may have been redriven or purged meanwhile
     */
    List<Long> take(String name, int limit, Duration lease, Instant now);

    /** Removes the notes of these letters. */
    void sent(String name, Collection<Long> letters);

    /** Returns the number of notes in an outbox. */
    long waiting(String name);

    /** Closes an outbox and removes its notes. */
    void close(String name);

    /**
     * Returns the name of an outbox if every store can keep it.
     *
     * @throws IllegalArgumentException otherwise
     */
    static String requireName(String name) {
        if (name.isBlank() || name.length() > MAX_NAME || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the name of an outbox must be 1 to " + MAX_NAME
                    + " characters without NUL, got " + name.length() + " characters");
        }
        return name;
    }

    /**
     * Returns a limit of {@link #take}.
     *
     * @throws IllegalArgumentException if the limit is out of range
     */
    static int requireLimit(int limit) {
        if (limit < 1 || limit > MAX_NOTES) {
            throw new IllegalArgumentException("limit must be between 1 and " + MAX_NOTES + ", got " + limit);
        }
        return limit;
    }
}

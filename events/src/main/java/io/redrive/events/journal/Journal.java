package io.redrive.events.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The finished events of a store, for as long as the journal's retention. A store writes the journal in the transaction
 * that settles the event, and forgets in its steps of expiry. Thread-safe.
 */
public interface Journal {

    /** The retention of a journal that is off. */
    Duration OFF = Duration.ZERO;

    /** The most events of one answer. */
    int MAX_PAGE = 1_000;

    /** The longest retention. */
    Duration MAX_RETENTION = Duration.ofDays(366);

    /**
     * Returns how long this store object keeps the events it finishes; zero, the default of the library, when this
     * object writes no journal. Set when the store is opened.
     */
    Duration retention();

    /**
     * Returns finished events, those finished last first.
     *
     * @param limit the most events to return, up to {@link #MAX_PAGE}
     */
    List<FinishedEvent> find(EventQuery query, int limit);

    /**
     * Returns the events that finished last, those finished last first.
     *
     * @param notBefore the earliest time of finishing
     * @param limit the most events to return, up to {@link #MAX_PAGE}
     */
    List<FinishedEvent> latest(Instant notBefore, int limit);

    /** Returns the failed attempts of a finished event, oldest first. */
    List<PastFailure> failures(FinishedEvent event);

    /**
     * Returns how far back the journal reaches: when its oldest event finished. Empty for a journal without events. A
     * journal that is off for this store object may still have events that other nodes wrote.
     */
    Optional<Instant> since();

    /** Returns true when this store object writes the journal. */
    default boolean isOn() {
        return !retention().isZero();
    }

    /**
     * Returns {@code retention} when a journal can have it.
     *
     * @throws IllegalArgumentException when {@code retention} is negative or longer than {@link #MAX_RETENTION}
     */
    static Duration requireRetention(Duration retention) {
        if (retention.isNegative() || retention.compareTo(MAX_RETENTION) > 0) {
            throw new IllegalArgumentException("journalRetention must be between zero (off) and "
                    + MAX_RETENTION.toDays() + " days, got " + retention);
        }
        return retention;
    }
}

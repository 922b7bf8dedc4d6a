package io.redrive.events.journal;

import java.time.Duration;

/**
 * The finished events of a store, for as long as the journal's retention. A store writes the journal in the transaction
 * that settles the event. Thread-safe.
 */
public interface Journal {

    /** The retention of a journal that is off. */
    Duration OFF = Duration.ZERO;

    /** The longest retention. */
    Duration MAX_RETENTION = Duration.ofDays(366);

    /**
     * Returns how long this store object keeps the events it finishes; zero, the default of the library, when this
     * object writes no journal. Set when the store is opened.
     */
    Duration retention();

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

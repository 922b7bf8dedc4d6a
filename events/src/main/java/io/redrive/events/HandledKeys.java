package io.redrive.events;

import java.time.Instant;

/**
 * Remembers the idempotency keys of handled events, so that a second delivery of the same event is not handled again;
 * see {@link EventRetry}. Keys are in memory ({@link #inMemory()}), or in a table of a SQLite file or a PostgreSQL
 * database, where they hold for all processes and after a restart. Thread-safe.
 *
 * <p>A key is added after its event was handled, so two deliveries that run at the same time are both handled: this
 * store saves repeated work and does not replace a handler that may be called twice.
 */
public interface HandledKeys {

    /** The longest key. */
    int MAX_KEY = 500;

    /**
     * The most expired keys that one call of {@link #add} removes, so that calls stay quick and expired keys do not
     * pile up.
     */
    int SWEPT_AT_ONCE = 100;

    /** Returns true when {@code key} was added and still holds. */
    boolean contains(String key, Instant now);

    /**
     * Adds the key of a handled event, and removes expired keys.
     *
     * @param until when the key expires; of two times for one key the later counts
     */
    void add(String key, Instant until, Instant now);

    /** Returns a store of keys in the memory of this process. */
    static HandledKeys inMemory() {
        return new InMemoryHandledKeys();
    }

    /**
     * Returns {@code key} if a store can keep it.
     *
     * @throws IllegalArgumentException if the key is blank or too long
     */
    static String require(String key) {
        if (key == null || key.isBlank() || key.length() > MAX_KEY || !Texts.isWellFormed(key)) {
            throw new IllegalArgumentException("idempotency key must be 1 to " + MAX_KEY
                    + " characters of well-formed text, not blank; got " + Texts.shown(key));
        }
        return key;
    }
}

package io.redrive.events;

import java.time.Instant;

/**
 * Remembers idempotency keys of work that was done, so that a second delivery of the same event is not handled again; see
 * {@link EventRetry}. In memory ({@link #inMemory()}), or in the tables of a SQLite file or a PostgreSQL database, where
 * keys hold for all processes and after a restart. Thread-safe.
 *
 * <p>A key is noted when its work is done. Two deliveries that are handled at the same moment therefore both run: this
 * spares repeated work and does not replace a handler that may be called twice.
 */
public interface HandledKeys {

    /** The longest key. */
    int MAX_KEY = 500;

    /** How many expired keys {@link #add} removes at most, so that no call is slow and no key stays for ever. */
    int SWEPT_AT_ONCE = 100;

    /** Returns true when {@code key} was added and is not past the moment until which it holds. */
    boolean contains(String key, Instant now);

    /**
     * Notes that the work of {@code key} is done, and removes some keys that no longer hold.
     *
     * @param until the moment until which the key holds; of two for one key the later stands
     */
    void add(String key, Instant until, Instant now);

    /** Keys in the memory of this process. */
    static HandledKeys inMemory() {
        return new InMemoryHandledKeys();
    }

    /** Returns {@code key} if a store takes it; refuses a blank one and one that is too long. */
    static String require(String key) {
        if (key == null || key.isBlank() || key.length() > MAX_KEY || !Texts.isWellFormed(key)) {
            throw new IllegalArgumentException("idempotency key must be 1 to " + MAX_KEY
                    + " characters of well-formed text, not blank; got " + Texts.shown(key));
        }
        return key;
    }
}

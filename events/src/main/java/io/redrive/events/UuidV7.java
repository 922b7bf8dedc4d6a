package io.redrive.events;

import io.redrive.core.Time;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * Time-ordered ids (UUID version 7). Ordered ids keep a store's index local, which multiplies the speed of inserts.
 * Within one process ids are strictly ascending, also inside one millisecond and when the clock steps back.
 * Thread-safe.
 */
public final class UuidV7 {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int COUNTER_BITS = 12;

    private static long last;

    private UuidV7() {}

    /** Returns the next id. */
    public static UUID next(Time time) {
        long stamp = nextStamp(time.now().toEpochMilli());
        long high = (stamp >>> COUNTER_BITS << 16) | 0x7000L | (stamp & 0xFFF);
        long low = (RANDOM.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /**
     * Returns milliseconds with a counter in the lowest bits; when the counter overflows, ids borrow from the next
     * millisecond.
     */
    private static synchronized long nextStamp(long millis) {
        last = Math.max(last + 1, millis << COUNTER_BITS);
        return last;
    }
}

package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The keys of published events, kept for the retention time to detect duplicates. Guarded by the store's lock. */
final class InMemoryKeys {

    private static final int STEP = 1_000;

    private final Duration retention;
    /**
     * In the order of publishing, which is the order of time unless the clock jumps; after a jump keys stay a little
     * longer.
     */
    private final Map<Key, Seen> published = new LinkedHashMap<>();

    InMemoryKeys(Duration retention) {
        this.retention = retention;
    }

    /** A pair, not a joined text: {@code ("a:b", none)} is not {@code ("a", "b")}. */
    record Key(String id, Optional<String> correlationId) {
        static Key of(Event event) {
            return new Key(event.id(), event.correlationId());
        }
    }

    /** The time and position of the publication. */
    private record Seen(Instant at, long position) {}

    void clear() {
        published.clear();
    }

    /** Adds the event's key with the position of the event. Returns false when the store knows the key already. */
    boolean remember(Event event, long position, Instant now) {
        Key key = Key.of(event);
        Seen before = published.get(key);
        if (before != null && !isOver(before, now)) {
            return false;
        }
        // Removed first: otherwise the key would keep its old place in the order and hold up the keys behind it.
        published.remove(key);
        published.put(key, new Seen(now, position));
        return true;
    }

    /** Forgets the key of the event published at this position; the key of a later publication stays. */
    void forget(Event event, long position) {
        published.computeIfPresent(Key.of(event), (key, seen) -> seen.position() == position ? null : seen);
    }

    /** Forgets up to {@link #STEP} keys older than the retention and returns their number. */
    int expire(Instant now) {
        int forgotten = 0;
        Iterator<Seen> oldestFirst = published.values().iterator();
        while (forgotten < STEP && oldestFirst.hasNext() && isOver(oldestFirst.next(), now)) {
            oldestFirst.remove();
            forgotten++;
        }
        return forgotten;
    }

    private boolean isOver(Seen before, Instant now) {
        return !before.at().plus(retention).isAfter(now);
    }
}

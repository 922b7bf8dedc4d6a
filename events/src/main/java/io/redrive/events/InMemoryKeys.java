package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The keys of what was published, remembered for a while to tell duplicates. Guarded by the store's lock. */
final class InMemoryKeys {

    private static final int STEP = 1_000;

    private final Duration retention;
    /** In the order of publishing, which is that of time but for clocks that jump; then a key is kept a little longer. */
    private final Map<Key, Seen> published = new LinkedHashMap<>();

    InMemoryKeys(Duration retention) {
        this.retention = retention;
    }

    /** A pair, not a joined text: {@code ("a:b", none)} is not {@code ("a", "b")}. */
    record Key(String id, String correlationId) {
        static Key of(Event event) {
            return new Key(event.id(), event.correlationId().orElse(null));
        }
    }

    /** When, and where the store put the event. */
    private record Seen(Instant at, long position) {}

    void clear() {
        published.clear();
    }

    /** True when the event's key is new; it is remembered from now on, with the position of the event. */
    boolean remember(Event event, long position, Instant now) {
        Key key = Key.of(event);
        Seen before = published.get(key);
        if (before != null && !isOver(before, now)) {
            return false;
        }
        published.remove(key); // or it would keep its old place and hold up those behind it
        published.put(key, new Seen(now, position));
        return true;
    }

    /** Forgets the key of the event that was published at this position; a later publication keeps its own. */
    void forget(Event event, long position) {
        published.computeIfPresent(Key.of(event), (key, seen) -> seen.position() == position ? null : seen);
    }

    /** Forgets some of what is past its retention, and tells how many. */
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

package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** The keys of what was published, remembered for a while to tell duplicates. Guarded by the store's lock. */
final class InMemoryKeys {

    private static final int STEP = 1_000;

    private final Duration retention;
    private final Map<Key, Instant> published = new HashMap<>();
    /** In the order of publishing, which is nearly that of time; a key is forgotten late rather than early. */
    private final Queue<Key> oldestFirst = new ArrayDeque<>();

    InMemoryKeys(Duration retention) {
        this.retention = retention;
    }

    /** A pair, not a joined text: {@code ("a:b", none)} is not {@code ("a", "b")}. */
    record Key(String id, String correlationId) {
        static Key of(Event event) {
            return new Key(event.id(), event.correlationId().orElse(null));
        }
    }

    /** True when the event's key is new; it is remembered from now on. */
    boolean remember(Event event, Instant now) {
        Key key = Key.of(event);
        Instant before = published.get(key);
        if (before != null && !isOver(before, now)) {
            return false;
        }
        published.put(key, now);
        if (before == null) {
            oldestFirst.add(key);
        }
        return true;
    }

    /** Forgets some of what is past its retention, and tells how many. */
    int expire(Instant now) {
        int forgotten = 0;
        while (forgotten < STEP && !oldestFirst.isEmpty() && isOver(published.get(oldestFirst.peek()), now)) {
            published.remove(oldestFirst.poll());
            forgotten++;
        }
        return forgotten;
    }

    private boolean isOver(Instant before, Instant now) {
        return !before.plus(retention).isAfter(now);
    }
}

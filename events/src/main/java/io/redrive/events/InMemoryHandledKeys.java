package io.redrive.events;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** Keys in a map, and in the order in which they expire. */
final class InMemoryHandledKeys implements HandledKeys {

    private record Held(Instant until, String key) implements Comparable<Held> {
        @Override
        public int compareTo(Held other) {
            int byTime = until.compareTo(other.until);
            return byTime != 0 ? byTime : key.compareTo(other.key);
        }
    }

    private final Map<String, Held> byKey = new HashMap<>();
    private final TreeSet<Held> soonest = new TreeSet<>();

    @Override
    public synchronized boolean contains(String key, Instant now) {
        Held held = byKey.get(HandledKeys.require(key));
        return held != null && now.isBefore(held.until);
    }

    @Override
    public synchronized void add(String key, Instant until, Instant now) {
        Held held = byKey.get(HandledKeys.require(key));
        if (held == null || held.until.isBefore(until)) {
            if (held != null) {
                soonest.remove(held);
            }
            Held later = new Held(until, key);
            byKey.put(key, later);
            soonest.add(later);
        }
        for (int i = 0; i < SWEPT_AT_ONCE && !soonest.isEmpty() && !now.isBefore(soonest.first().until); i++) {
            byKey.remove(soonest.pollFirst().key);
        }
    }
}

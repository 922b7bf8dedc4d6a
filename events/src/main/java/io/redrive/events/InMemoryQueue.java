package io.redrive.events;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The unfinished events of the in-memory store, each in exactly one of three places: ready (in the sorted set of its
 * priority, or in that of the suspects), claimed, or blocked behind an earlier event of its ordering key. Only the first
 * of a key's line is ever ready or claimed, so claiming need not look at keys at all. Guarded by the store's lock.
 */
final class InMemoryQueue {

    private final Map<Priority, NavigableSet<StoredEvent>> ready = new EnumMap<>(Priority.class);
    private final NavigableSet<StoredEvent> suspects = new TreeSet<>(StoredEvent.OLDEST_DUE_FIRST);
    /** By position, so that recovery goes in order and a simulation repeats itself. */
    private final Map<Long, StoredEvent> claimed = new TreeMap<>();
    /** Unfinished events of each ordering key, in the order of their positions. */
    private final Map<String, Deque<StoredEvent>> lines = new HashMap<>();

    InMemoryQueue() {
        for (Priority priority : Priority.values()) {
            ready.put(priority, new TreeSet<>(StoredEvent.OLDEST_DUE_FIRST));
        }
    }

    void clear() {
        ready.values().forEach(NavigableSet::clear);
        suspects.clear();
        claimed.clear();
        lines.clear();
    }

    /** A new event: ready, or blocked when its key has an unfinished one. */
    void add(StoredEvent stored) {
        String key = stored.event.orderingKey().orElse(null);
        if (key == null) {
            makeReady(stored);
            return;
        }
        Deque<StoredEvent> line = lines.computeIfAbsent(key, unused -> new ArrayDeque<>());
        line.addLast(stored);
        if (line.size() == 1) {
            makeReady(stored);
        }
    }

    /** Moves the next due event of a priority, or of the suspects when it is null, to the claimed; null when none is. */
    StoredEvent take(Priority priority, Instant now) {
        NavigableSet<StoredEvent> queue = priority == null ? suspects : ready.get(priority);
        if (queue.isEmpty() || !queue.first().isDue(now)) {
            return null;
        }
        StoredEvent taken = queue.pollFirst();
        claimed.put(taken.position, taken);
        return taken;
    }

    /** The event a claim is about, or null when the claim is stale. */
    StoredEvent held(Claim claim) {
        StoredEvent stored = claimed.get(claim.position());
        return stored != null && stored.token() == claim.token() ? stored : null;
    }

    Collection<StoredEvent> claimed() {
        return claimed.values();
    }

    List<StoredEvent> claimed(Predicate<StoredEvent> which) {
        return claimed.values().stream().filter(which).toList();
    }

    /** From claimed back to ready; others of its key go on waiting. */
    void putBack(StoredEvent stored) {
        claimed.remove(stored.position);
        makeReady(stored);
    }

    /** Done or dead: gone from here, and the next of its key comes up. */
    void finish(StoredEvent stored) {
        claimed.remove(stored.position);
        stored.event.orderingKey().ifPresent(key -> {
            Deque<StoredEvent> line = lines.get(key);
            line.removeFirst();
            if (line.isEmpty()) {
                lines.remove(key);
            } else {
                makeReady(line.getFirst());
            }
        });
    }

    /** Everything not claimed: ready, delayed and blocked. */
    List<StoredEvent> waiting() {
        List<StoredEvent> all = new ArrayList<>(suspects);
        ready.values().forEach(all::addAll);
        for (Deque<StoredEvent> line : lines.values()) {
            line.stream().skip(1).forEach(all::add);
        }
        return all;
    }

    private void makeReady(StoredEvent stored) {
        NavigableSet<StoredEvent> queue = stored.isSuspect() ? suspects : ready.get(stored.event.priority());
        queue.add(stored);
    }
}

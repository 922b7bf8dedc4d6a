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
 * The unfinished events of the in-memory store, each in exactly one of four places: ready (in the sorted set of its
 * priority, or in that of the suspects), set aside (by name), claimed, or blocked behind an earlier event of its ordering key. Only the first
 * of a key's line is ever ready or claimed, so claiming need not look at keys at all. Guarded by the store's lock.
 */
final class InMemoryQueue {

    private final Map<Priority, ReadyEvents> ready = new EnumMap<>(Priority.class);
    private final ReadyEvents suspects = new ReadyEvents();
    /** By position, so that recovery goes in order and a simulation repeats itself. */
    private final Map<Long, StoredEvent> claimed = new TreeMap<>();
    /** Unfinished events of each ordering key, in the order of their positions. */
    private final Map<String, Deque<StoredEvent>> lines = new HashMap<>();

    InMemoryQueue() {
        for (Priority priority : Priority.values()) {
            ready.put(priority, new ReadyEvents());
        }
    }

    /** The ready events of one priority, and those that claimers set aside. */
    private static final class ReadyEvents {
        private final NavigableSet<StoredEvent> queue = new TreeSet<>(StoredEvent.OLDEST_DUE_FIRST);
        private final Map<String, NavigableSet<StoredEvent>> aside = new TreeMap<>();

        /** The oldest due event that the filter accepts, or null; refused ones in front of it are set aside. */
        private StoredEvent take(ClaimFilter filter, Instant dueBy) {
            while (!queue.isEmpty()
                    && queue.first().isDue(dueBy)
                    && !filter.accepts(queue.first().event.name())) {
                StoredEvent refused = queue.pollFirst();
                aside.computeIfAbsent(refused.event.name(), unused -> new TreeSet<>(StoredEvent.OLDEST_DUE_FIRST))
                        .add(refused);
            }
            NavigableSet<StoredEvent> oldest = queue;
            for (Map.Entry<String, NavigableSet<StoredEvent>> named : aside.entrySet()) {
                if (filter.accepts(named.getKey()) && isOlder(named.getValue(), oldest)) {
                    oldest = named.getValue();
                }
            }
            if (oldest.isEmpty() || !oldest.first().isDue(dueBy)) {
                return null;
            }
            StoredEvent taken = oldest.pollFirst();
            if (oldest != queue && oldest.isEmpty()) {
                aside.remove(taken.event.name());
            }
            return taken;
        }

        private static boolean isOlder(NavigableSet<StoredEvent> one, NavigableSet<StoredEvent> other) {
            return other.isEmpty() || StoredEvent.OLDEST_DUE_FIRST.compare(one.first(), other.first()) < 0;
        }

        private void remove(StoredEvent stored) {
            NavigableSet<StoredEvent> named = aside.get(stored.event.name());
            if (!queue.remove(stored) && named != null && named.remove(stored) && named.isEmpty()) {
                aside.remove(stored.event.name());
            }
        }

        private void addTo(List<StoredEvent> all) {
            all.addAll(queue);
            aside.values().forEach(all::addAll);
        }

        private void clear() {
            queue.clear();
            aside.clear();
        }
    }

    void clear() {
        ready.values().forEach(ReadyEvents::clear);
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
    StoredEvent take(Priority priority, ClaimFilter filter, Instant dueBy) {
        StoredEvent taken = (priority == null ? suspects : ready.get(priority)).take(filter, dueBy);
        if (taken != null) {
            claimed.put(taken.position, taken);
        }
        return taken;
    }

    /** The events that were set aside, by name; the oldest of a name is the first of one of its sets. */
    Map<String, List<NavigableSet<StoredEvent>>> aside() {
        Map<String, List<NavigableSet<StoredEvent>>> byName = new TreeMap<>();
        List<ReadyEvents> lanes = new ArrayList<>(ready.values());
        lanes.add(suspects);
        for (ReadyEvents line : lanes) {
            line.aside.forEach((name, events) ->
                    byName.computeIfAbsent(name, unused -> new ArrayList<>()).add(events));
        }
        return byName;
    }

    /** Events behind another of their ordering key. */
    List<StoredEvent> blocked() {
        List<StoredEvent> blocked = new ArrayList<>();
        for (Deque<StoredEvent> line : lines.values()) {
            line.stream().skip(1).forEach(blocked::add);
        }
        return blocked;
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

    /** Takes out an event that waits; when it was the first of its key, the next one comes up. */
    void remove(StoredEvent stored) {
        Deque<StoredEvent> line = stored.event.orderingKey().map(lines::get).orElse(null);
        if (line != null && line.getFirst() != stored) {
            line.remove(stored);
            return;
        }
        (stored.isSuspect() ? suspects : ready.get(stored.event.priority())).remove(stored);
        finish(stored);
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

    /** Everything not claimed: ready, delayed, set aside and blocked. */
    List<StoredEvent> waiting() {
        List<StoredEvent> all = blocked();
        suspects.addTo(all);
        ready.values().forEach(line -> line.addTo(all));
        return all;
    }

    private void makeReady(StoredEvent stored) {
        (stored.isSuspect() ? suspects : ready.get(stored.event.priority())).queue.add(stored);
    }
}

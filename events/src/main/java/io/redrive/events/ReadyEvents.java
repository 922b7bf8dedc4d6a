package io.redrive.events;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The ready events of one priority, or the suspects of one priority, including the events that claimers set aside. Guarded by the store's lock. */
final class ReadyEvents {
    private final NavigableSet<StoredEvent> queue = new TreeSet<>(StoredEvent.OLDEST_DUE_FIRST);
    private final Map<String, NavigableSet<StoredEvent>> aside = new TreeMap<>();

    void add(StoredEvent stored) {
        queue.add(stored);
    }

    /** Returns the events that were set aside, by name. */
    Map<String, NavigableSet<StoredEvent>> aside() {
        return aside;
    }

    /** Returns the oldest due event that the filter accepts, or null; sets refused events before it aside. */
    @Nullable
    StoredEvent take(ClaimFilter filter, Instant dueBy) {
        while (!queue.isEmpty()
                && queue.first().isDue(dueBy)
                && !filter.accepts(queue.first().event.name())) {
            StoredEvent refused = queue.first();
            queue.remove(refused);
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
        StoredEvent taken = oldest.first();
        oldest.remove(taken);
        if (oldest != queue && oldest.isEmpty()) {
            aside.remove(taken.event.name());
        }
        return taken;
    }

    private static boolean isOlder(NavigableSet<StoredEvent> one, NavigableSet<StoredEvent> other) {
        return other.isEmpty() || StoredEvent.OLDEST_DUE_FIRST.compare(one.first(), other.first()) < 0;
    }

    void remove(StoredEvent stored) {
        @Nullable NavigableSet<StoredEvent> named = aside.get(stored.event.name());
        if (!queue.remove(stored) && named != null && named.remove(stored) && named.isEmpty()) {
            aside.remove(stored.event.name());
        }
    }

    boolean hasAside(StoredEvent stored) {
        @Nullable NavigableSet<StoredEvent> named = aside.get(stored.event.name());
        return named != null && named.contains(stored);
    }

    void addTo(List<StoredEvent> all) {
        all.addAll(queue);
        aside.values().forEach(all::addAll);
    }

    void clear() {
        queue.clear();
        aside.clear();
    }
}

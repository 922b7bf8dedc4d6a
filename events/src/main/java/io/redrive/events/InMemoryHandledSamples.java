package io.redrive.events;

import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** The handled sample of an {@link InMemoryEventStore}. */
final class InMemoryHandledSamples implements HandledSamples {

    private static final Comparator<HandledEvent> ORDER = Comparator.comparing(HandledEvent::handledAt)
            .thenComparing(handled -> handled.event().id());

    private final TreeMap<String, TreeSet<HandledEvent>> byName = new TreeMap<>();

    @Override
    public synchronized void add(List<HandledEvent> events) {
        for (HandledEvent handled : HandledSamples.requireAddable(events)) {
            TreeSet<HandledEvent> sample =
                    byName.computeIfAbsent(handled.event().name(), name -> new TreeSet<>(ORDER));
            sample.add(handled);
            if (sample.size() > MAX_PER_NAME) {
                sample.pollFirst();
            }
        }
        while (byName.size() > MAX_NAMES) {
            byName.entrySet().stream()
                    .min(Comparator.comparing(named -> named.getValue().last().handledAt()))
                    .ifPresent(oldest -> byName.remove(oldest.getKey()));
        }
    }

    @Override
    public synchronized List<HandledEvent> newest(String name, int limit) {
        HandledSamples.requireLimit(limit, MAX_PER_NAME);
        return byName.getOrDefault(name, new TreeSet<>(ORDER)).descendingSet().stream()
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized List<String> names(int limit) {
        HandledSamples.requireLimit(limit, MAX_NAMES);
        return byName.keySet().stream().limit(limit).toList();
    }

    @Override
    public synchronized int expire(Instant before) {
        int removed = 0;
        for (Iterator<TreeSet<HandledEvent>> each = byName.values().iterator(); each.hasNext(); ) {
            TreeSet<HandledEvent> sample = each.next();
            while (removed < EXPIRED_AT_ONCE
                    && !sample.isEmpty()
                    && sample.first().handledAt().isBefore(before)) {
                sample.pollFirst();
                removed++;
            }
            if (sample.isEmpty()) {
                each.remove();
            }
        }
        return removed;
    }

    synchronized void clear() {
        byName.clear();
    }
}

package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;

/** Counts the unfinished events of the in-memory store. Guarded by the store's lock. */
final class InMemoryCounts {

    private final InMemoryQueue queue;

    InMemoryCounts(InMemoryQueue queue) {
        this.queue = queue;
    }

    /** Counts events blocked behind an earlier event of their key as ready or delayed, by their own due time. */
    StoreStats stats(long dead, Instant now) {
        long ready = 0;
        long delayed = 0;
        Instant oldest = now;
        for (StoredEvent stored : queue.waiting()) {
            if (stored.isDue(now)) {
                ready++;
                oldest = stored.due().isBefore(oldest) ? stored.due() : oldest;
            } else {
                delayed++;
            }
        }
        int claimed = queue.claimed().size();
        return new StoreStats(ready, delayed, claimed, dead, Duration.between(oldest, now), waiting(now));
    }

    private StoreStats.Waiting waiting(Instant now) {
        List<NavigableSet<StoredEvent>> aside =
                queue.aside().values().stream().flatMap(List::stream).toList();
        return new StoreStats.Waiting(
                queue.blocked().size(),
                aside.stream().mapToLong(Collection::size).sum(),
                waited(aside, now),
                snoozed(Settlement.Snooze.Cause.PAUSED, now),
                snoozed(Settlement.Snooze.Cause.NO_TOKEN, now));
    }

    private long snoozed(Settlement.Snooze.Cause cause, Instant now) {
        return queue.waiting().stream()
                .filter(stored -> stored.waits(cause, now))
                .count();
    }

    List<SetAside> setAside(int limit, Instant now) {
        return queue.aside().entrySet().stream()
                .limit(limit)
                .map(named -> new SetAside(named.getKey(), waited(named.getValue(), now)))
                .toList();
    }

    long setAside(Set<NamePattern> names) {
        ClaimFilter counted = ClaimFilter.of(names);
        return queue.aside().entrySet().stream()
                .filter(named -> counted.accepts(named.getKey()))
                .flatMap(named -> named.getValue().stream())
                .mapToLong(Collection::size)
                .sum();
    }

    private static Duration waited(List<NavigableSet<StoredEvent>> events, Instant now) {
        Instant oldest = events.stream()
                .map(each -> each.first().due())
                .min(Comparator.naturalOrder())
                .orElse(now);
        return oldest.isAfter(now) ? Duration.ZERO : Duration.between(oldest, now);
    }
}

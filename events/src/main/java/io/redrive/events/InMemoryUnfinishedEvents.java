package io.redrive.events;

import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.UnfinishedEvent;
import io.redrive.events.journal.UnfinishedEvent.Why;
import io.redrive.events.journal.UnfinishedEvents;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Looks at the queue of the in-memory store, under the store's lock. */
final class InMemoryUnfinishedEvents implements UnfinishedEvents {

    private final Object lock;
    private final InMemoryQueue queue;

    InMemoryUnfinishedEvents(Object lock, InMemoryQueue queue) {
        this.lock = lock;
        this.queue = queue;
    }

    @Override
    public List<UnfinishedEvent> find(EventQuery query, int limit, Instant now) {
        InMemoryDeadLetters.requirePage(limit);
        Instant at = StoredEvent.micros(now);
        synchronized (lock) {
            List<StoredEvent> all = queue.waiting();
            all.addAll(queue.claimed());
            return all.stream()
                    .filter(stored -> matches(stored.event, query))
                    .sorted(Comparator.comparingLong(stored -> stored.position))
                    .limit(limit)
                    .map(stored -> seen(stored, at))
                    .toList();
        }
    }

    private static boolean matches(Event event, EventQuery query) {
        return switch (query.by()) {
            case ID -> event.id().equals(query.text());
            case CORRELATION ->
                event.correlationId().filter(query.text()::equals).isPresent();
            case KEY -> event.orderingKey().filter(query.text()::equals).isPresent();
            case NAME -> event.name().equals(query.text());
        };
    }

    @Override
    public List<UnfinishedEvent> waiting(int limit, Instant now) {
        InMemoryDeadLetters.requirePage(limit);
        Instant at = StoredEvent.micros(now);
        synchronized (lock) {
            return queue.waiting().stream()
                    .sorted(StoredEvent.OLDEST_DUE_FIRST)
                    .limit(limit)
                    .map(stored -> seen(stored, at))
                    .toList();
        }
    }

    private UnfinishedEvent seen(StoredEvent stored, Instant now) {
        Event event = stored.event;
        return new UnfinishedEvent(
                event.id(),
                event.correlationId(),
                event.orderingKey(),
                event.name(),
                event.source(),
                stored.position,
                stored.origin(),
                StoredEvent.micros(event.created()),
                stored.attempts().failed(),
                stored.attempts().interrupted(),
                stored.attempts().crashed(),
                stored.lineage.redrives(),
                state(stored, now));
    }

    private UnfinishedEvent.State state(StoredEvent stored, Instant now) {
        if (queue.claimed().contains(stored)) {
            return new UnfinishedEvent.Claimed(stored.holder(), Optional.of(stored.claimedAt()), stored.leaseEnd());
        }
        Optional<StoredEvent> first = stored.event.orderingKey().flatMap(queue::firstOf);
        if (first.isPresent() && first.get() != stored) {
            return new UnfinishedEvent.Waiting(
                    stored.due(), Why.BEHIND, Optional.of(first.get().event.id()));
        }
        Why why = why(stored, now);
        Optional<Instant> putOff = switch (why) {
            case BACKOFF, SNOOZED, PAUSED, NO_TOKEN -> Optional.of(stored.putOff());
            case READY, DUE_TIME, SET_ASIDE, BEHIND -> Optional.empty();
        };
        return new UnfinishedEvent.Waiting(stored.due(), why, Optional.empty(), putOff);
    }

    private Why why(StoredEvent stored, Instant now) {
        if (queue.isAside(stored)) {
            return Why.SET_ASIDE;
        }
        if (stored.isDue(now)) {
            return Why.READY;
        }
        if (stored.waits(Settlement.Snooze.Cause.PAUSED, now)) {
            return Why.PAUSED;
        }
        if (stored.waits(Settlement.Snooze.Cause.NO_TOKEN, now)) {
            return Why.NO_TOKEN;
        }
        if (stored.isUnbegun()) {
            return Why.DUE_TIME;
        }
        return stored.isBackingOff() ? Why.BACKOFF : Why.SNOOZED;
    }
}

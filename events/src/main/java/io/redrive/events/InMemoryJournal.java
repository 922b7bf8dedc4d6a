package io.redrive.events;

import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.Journal;
import io.redrive.events.journal.PastFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The journal of the in-memory store. Shares the store's lock. */
final class InMemoryJournal implements Journal {

    private static final int EXPIRED_AT_ONCE = 1_000;

    private final Object lock;
    private final Duration retention;
    /** In the order of finishing. */
    private final Deque<Entry> entries = new ArrayDeque<>();
    /** The newest finished event of each ordering key. */
    private final Map<String, FinishedEvent> newest = new HashMap<>();

    InMemoryJournal(Object lock, Duration retention) {
        this.lock = lock;
        this.retention = Journal.requireRetention(retention);
    }

    private record Entry(FinishedEvent event, List<AttemptRecord> failures) {}

    /** Remembers an event that was settled as done. Called with the lock held. */
    void add(StoredEvent stored, Settlement.Done done, Instant now) {
        if (!isOn()) {
            return;
        }
        Event event = stored.event;
        FinishedEvent finished = new FinishedEvent(
                event.id(),
                event.correlationId(),
                event.orderingKey(),
                event.name(),
                event.source(),
                stored.origin(),
                StoredEvent.micros(event.created()),
                now,
                stored.attempts().failed(),
                stored.attempts().interrupted(),
                stored.attempts().crashed(),
                stored.lineage.redrives(),
                done.node(),
                done.duration());
        entries.addLast(new Entry(finished, List.copyOf(stored.history)));
        event.orderingKey()
                .ifPresent(key -> newest.merge(key, finished, (one, other) -> isNewer(one, other) ? one : other));
    }

    private static boolean isNewer(FinishedEvent one, FinishedEvent other) {
        return isAfter(one.created(), one.origin(), other.created(), other.origin());
    }

    private static boolean isAfter(Instant created, long origin, Instant otherCreated, long otherOrigin) {
        int order = created.compareTo(otherCreated);
        return order > 0 || order == 0 && origin > otherOrigin;
    }

    /** Returns true when a newer event of the letter's ordering key has finished. Called with the lock held. */
    boolean hasOvertaken(InMemoryDeadLetters.Kept kept) {
        Event event = kept.letter().event();
        @Nullable FinishedEvent last = event.orderingKey().map(newest::get).orElse(null);
        return last != null
                && isAfter(last.created(), last.origin(), StoredEvent.micros(event.created()), kept.origin());
    }

    /** Forgets some of the events past their retention and returns their number. Called with the lock held. */
    int expire(Instant now) {
        Instant kept = now.minus(retention);
        int expired = 0;
        while (expired < EXPIRED_AT_ONCE
                && !entries.isEmpty()
                && !entries.getFirst().event().finished().isAfter(kept)) {
            FinishedEvent gone = entries.removeFirst().event();
            gone.orderingKey().ifPresent(key -> newest.remove(key, gone));
            expired++;
        }
        return expired;
    }

    /** Called with the lock held. */
    void clear() {
        entries.clear();
        newest.clear();
    }

    @Override
    public Duration retention() {
        return retention;
    }

    @Override
    public List<FinishedEvent> find(EventQuery query, int limit) {
        return latest(event -> event.matches(query), limit);
    }

    @Override
    public List<FinishedEvent> latest(Instant notBefore, int limit) {
        return latest(event -> !event.finished().isBefore(notBefore), limit);
    }

    private List<FinishedEvent> latest(Predicate<FinishedEvent> wanted, int limit) {
        InMemoryDeadLetters.requirePage(limit);
        List<FinishedEvent> found = new ArrayList<>();
        synchronized (lock) {
            Iterator<Entry> newestFirst = entries.descendingIterator();
            while (found.size() < limit && newestFirst.hasNext()) {
                FinishedEvent event = newestFirst.next().event();
                if (wanted.test(event)) {
                    found.add(event);
                }
            }
        }
        return found;
    }

    @Override
    public List<PastFailure> failures(FinishedEvent event) {
        synchronized (lock) {
            return entries.stream()
                    .filter(entry -> entry.event().origin() == event.origin())
                    .findFirst()
                    .map(entry -> entry.failures().stream()
                            .map(failed -> new PastFailure(
                                    failed.number(),
                                    failed.at(),
                                    failed.node(),
                                    failed.duration(),
                                    failed.errorType(),
                                    failed.message(),
                                    failed.decision()))
                            .toList())
                    .orElse(List.of());
        }
    }

    @Override
    public Optional<Instant> since() {
        synchronized (lock) {
            return Optional.ofNullable(entries.peekFirst())
                    .map(entry -> entry.event().finished());
        }
    }
}

package io.redrive.events;

import io.redrive.events.activity.ActivityLog;
import io.redrive.events.journal.Journal;
import io.redrive.events.journal.UnfinishedEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An event store in memory with the whole contract: for tests and simulations, and the reference for the durable
 * stores. Nothing survives the process. The store has one lock, no threads and no clock: the same calls always get
 * the same answers. A closed store can still be used, so that a test can stop a pipeline and start another on the same
 * store. Thread-safe.
 *
 * <pre>{@code
 * EventStore store = new InMemoryEventStore();
 * store.publish(List.of(event), time.now());
 * }</pre>
 */
public final class InMemoryEventStore implements EventStore {

    private final Object lock = new Object();
    private final InMemoryQueue queue = new InMemoryQueue();
    private final InMemoryCounts counts = new InMemoryCounts(queue);
    private final InMemoryKeys keys;
    private final InMemoryDeadLetters letters;
    private final InMemoryRedrives redrives;
    private final InMemoryNotes notes = new InMemoryNotes();
    private final InMemoryActivityLog activity = new InMemoryActivityLog();
    private final InMemoryHandledSamples samples = new InMemoryHandledSamples();
    private final InMemoryProposals proposals = new InMemoryProposals();
    private volatile PublishRecorder published = new PublishRecorder(activity);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final InMemoryLimits limits;
    private final InMemoryJournal journal;
    private final InMemoryAdoptions adoptions;
    private long lastPosition;
    private long lastToken;

    /** Creates a store with the default limits. */
    public InMemoryEventStore() {
        this(DEFAULT_KEY_RETENTION, DEFAULT_MAX_PAYLOAD);
    }

    /**
     * Creates a store with the default limits whose journal remembers finished events for {@code retention}.
     *
     * @throws IllegalArgumentException if the retention is negative or longer than {@link Journal#MAX_RETENTION}
     */
    public static InMemoryEventStore withJournal(Duration retention) {
        return new InMemoryEventStore(DEFAULT_KEY_RETENTION, DEFAULT_MAX_PAYLOAD, retention);
    }

    /**
     * Creates a store that keeps keys for {@code keyRetention} and accepts payloads of up to {@code maxPayload} bytes.
     *
     * @throws IllegalArgumentException if the retention is not longer than zero or the size is less than 1
     */
    public InMemoryEventStore(Duration keyRetention, int maxPayload) {
        this(keyRetention, maxPayload, Journal.OFF);
    }

    private InMemoryEventStore(Duration keyRetention, int maxPayload, Duration journalRetention) {
        if (keyRetention.isNegative() || keyRetention.isZero()) {
            throw new IllegalArgumentException("keyRetention must be longer than zero, got " + keyRetention);
        }
        limits = new InMemoryLimits(maxPayload);
        journal = new InMemoryJournal(lock, journalRetention);
        keys = new InMemoryKeys(keyRetention);
        letters = new InMemoryDeadLetters(lock, keys, this::bringBack, maxPayload, journal);
        redrives = new InMemoryRedrives(lock, letters, queue);
        adoptions = new InMemoryAdoptions(lock, queue, letters, limits::requirePayloads, () -> ++lastPosition);
    }

    @Override
    public List<PublishResult> publish(List<Event> events, Instant now) {
        return publish(events, ImmediateClaim.NONE, now).results();
    }

    @Override
    public PublishedEvents publish(List<Event> events, ImmediateClaim claim, Instant now) {
        limits.requirePublishable(events);
        Instant at = StoredEvent.micros(now);
        List<PublishResult> results = new ArrayList<>(events.size());
        List<Claim> claims = new ArrayList<>();
        synchronized (lock) {
            for (int i = 0; i < events.size(); i++) {
                Event event = events.get(i);
                if (!keys.remember(event, lastPosition + 1, at)) {
                    results.add(letters.duplicate(event));
                    continue;
                }
                results.add(PublishResult.ACCEPTED);
                StoredEvent stored =
                        new StoredEvent(++lastPosition, event, event.due(), StoredEvent.Lineage.FIRST_LIFE, List.of());
                if (claim.includes(i, event, at)) {
                    lastToken += claims.isEmpty() ? 1 : 0;
                    claims.add(stored.claim(lastToken, claim.node(), at.plus(claim.lease()), at));
                    queue.addClaimed(stored);
                } else {
                    queue.add(stored);
                }
            }
        }
        PublishedEvents all = new PublishedEvents(results, claims);
        published.count(events, results, at);
        published.writeIfDue(at);
        if (all.leavesWork()) {
            listeners.forEach(Runnable::run);
        }
        return all;
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        List<Settlement> checked = List.copyOf(settlements);
        List<ClaimRequest> asked = List.copyOf(requests);
        synchronized (lock) {
            List<Claim> stale = settleAll(checked, StoredEvent.micros(now));
            List<Claim> claims = new ArrayList<>();
            asked.forEach(request -> take(request, claims));
            return new Exchange(stale, claims);
        }
    }

    private void take(ClaimRequest request, List<Claim> claims) {
        Instant now = StoredEvent.micros(request.now());
        Instant dueBy = StoredEvent.micros(request.dueBy());
        Instant leaseEnd = now.plus(request.lease());
        long token = ++lastToken;
        long bytes =
                claims.stream().mapToLong(claim -> claim.event().payloadSize()).sum();
        int wanted = claims.size() + request.demand();
        for (ReadyEvents ready : queue.claimOrder(request)) {
            while (claims.size() < wanted && bytes < ClaimRequest.MAX_BYTES) {
                @Nullable StoredEvent taken = queue.take(ready, request.filter(), dueBy);
                if (taken == null) {
                    break;
                }
                Claim claim = taken.claim(token, request.node(), leaseEnd, now);
                claims.add(claim);
                bytes += claim.event().payloadSize();
            }
        }
    }

    private List<Claim> settleAll(List<Settlement> settlements, Instant now) {
        Settling settling = new Settling(now);
        List<Claim> stale = new ArrayList<>();
        for (Settlement settlement : settlements) {
            StoredEvent held = queue.held(settlement.claim());
            if (held == null) {
                stale.add(settlement.claim());
            } else {
                settlement.match(held, settling);
            }
        }
        return stale;
    }

    /** Applies a settlement to its claimed event. */
    private final class Settling implements Settlement.Cases<StoredEvent> {

        private final Instant now;

        Settling(Instant now) {
            this.now = now;
        }

        @Override
        public void done(Settlement.Done done, StoredEvent held) {
            queue.finish(held);
            journal.add(held, done, now);
        }

        @Override
        public void retry(Settlement.Retry retry, StoredEvent held) {
            held.failed(retry.attempt());
            held.retryAt(StoredEvent.micros(retry.due()), retry.delay());
            queue.putBack(held);
        }

        @Override
        public void dead(Settlement.Dead dead, StoredEvent held) {
            held.failed(dead.attempt());
            queue.finish(held);
            letters.add(held, dead, now);
        }

        @Override
        public void release(Settlement.Release release, StoredEvent held) {
            held.interrupted(now);
            queue.putBack(held);
        }

        @Override
        public void snooze(Settlement.Snooze snooze, StoredEvent held) {
            held.snoozeUntil(StoredEvent.micros(snooze.due()), snooze.cause(), now);
            queue.putBack(held);
        }
    }

    @Override
    public void extend(Collection<Long> tokens, Duration lease, Instant now) {
        Set<Long> held = Set.copyOf(tokens);
        Instant leaseEnd = StoredEvent.micros(now).plus(lease);
        synchronized (lock) {
            for (StoredEvent stored : queue.claimed()) {
                if (held.contains(stored.token())) {
                    stored.extend(leaseEnd);
                }
            }
        }
    }

    @Override
    public int recover(Instant now, LeaseHolders holders) {
        Instant at = StoredEvent.micros(now);
        synchronized (lock) {
            return queue.recover(at, holders);
        }
    }

    @Override
    public int expire(Instant now) {
        published.writeIfDue(now);
        synchronized (lock) {
            Instant at = StoredEvent.micros(now);
            return keys.expire(at) + journal.expire(at);
        }
    }

    @Override
    public StoreStats stats(Instant now) {
        synchronized (lock) {
            return counts.stats(letters.count(LetterFilter.ALL), StoredEvent.micros(now));
        }
    }

    @Override
    public List<Scheduled> scheduled(Scheduled.Filter filter, int limit, Instant now) {
        InMemoryDeadLetters.requirePage(limit);
        Instant at = StoredEvent.micros(now);
        synchronized (lock) {
            return queue.waiting().stream()
                    .filter(stored -> stored.isUnbegun() && !stored.isDue(at))
                    .filter(stored -> filter.name()
                            .map(name -> name.matches(stored.event.name()))
                            .orElse(true))
                    .filter(stored -> filter.dueBefore()
                            .map(before -> stored.due().isBefore(before))
                            .orElse(true))
                    .sorted(StoredEvent.OLDEST_DUE_FIRST)
                    .map(stored -> new Scheduled(stored.event, stored.position))
                    .filter(each -> filter.after().map(each::isBehind).orElse(true))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public boolean cancel(String id, @Nullable String correlationId, Instant now) {
        InMemoryKeys.Key key = new InMemoryKeys.Key(id, Optional.ofNullable(correlationId));
        synchronized (lock) {
            Optional<StoredEvent> found = queue.waiting().stream()
                    .filter(stored -> stored.isUnbegun()
                            && InMemoryKeys.Key.of(stored.event).equals(key))
                    .findFirst();
            found.ifPresent(stored -> {
                queue.remove(stored);
                keys.forget(stored.event, stored.position);
            });
            return found.isPresent();
        }
    }

    @Override
    public List<SetAside> setAside(int limit, Instant now) {
        synchronized (lock) {
            return counts.setAside(limit, StoredEvent.micros(now));
        }
    }

    @Override
    public long countSetAside(Set<NamePattern> names) {
        synchronized (lock) {
            return counts.setAside(names);
        }
    }

    @Override
    public DeadLetters deadLetters() {
        return letters;
    }

    @Override
    public Redrives redrives() {
        return redrives;
    }

    @Override
    public SharedNotes notes() {
        return notes;
    }

    @Override
    public ActivityLog activity() {
        return activity;
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public HandledSamples samples() {
        return samples;
    }

    @Override
    public Proposals proposals() {
        return proposals;
    }

    @Override
    public LetterOutbox letterOutbox() {
        return letters.outbox;
    }

    @Override
    public Adoptions adoptions() {
        return adoptions;
    }

    @Override
    public int maxPayload() {
        return limits.maxPayload();
    }

    @Override
    public UnfinishedEvents unfinished() {
        return new InMemoryUnfinishedEvents(lock, queue);
    }

    @Override
    public void onPublished(Runnable wake) {
        listeners.add(Objects.requireNonNull(wake, "wake"));
    }

    /** Removes all events, keys, dead letters, redrive operations, notes, activity, samples, proposals, journal and bookmarks, for tests that share a store. */
    public void clear() {
        synchronized (lock) {
            queue.clear();
            keys.clear();
            letters.clear();
            redrives.clear();
            notes.clear();
            activity.clear();
            samples.clear();
            proposals.clear();
            journal.clear();
            adoptions.clear();
            published = new PublishRecorder(activity);
        }
    }

    @Override
    public void close() {
        published.close();
    }

    /**
     * Adds the event of a redriven letter at a new position, behind the waiting events of its key. Called with the
     * lock held.
     */
    private long bringBack(Event event, Instant due, StoredEvent.Lineage lineage, List<AttemptRecord> history) {
        queue.add(new StoredEvent(++lastPosition, event, due, lineage, history));
        return lastPosition;
    }
}

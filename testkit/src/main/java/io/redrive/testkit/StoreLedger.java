package io.redrive.testkit;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.LeaseHolders;
import io.redrive.events.PublishResult;
import io.redrive.events.Scheduled;
import io.redrive.events.SetAside;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Stands between a store and the faults, and writes down what really took effect: what was accepted, and which settlements
 * were not stale. Carried over a crash, so that what happened before it counts too. For one thread.
 */
final class StoreLedger implements EventStore {

    private final EventStore store;
    private final List<String> lines;

    StoreLedger(EventStore store) {
        this(store, new ArrayList<>());
    }

    private StoreLedger(EventStore store, List<String> lines) {
        this.store = store;
        this.lines = lines;
    }

    /** The same ledger over the store as it was found after a crash. */
    StoreLedger carriedOverTo(EventStore reopened) {
        return new StoreLedger(reopened, lines);
    }

    /** Every effect in order, such as {@code done order-1}. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public List<PublishResult> publish(List<Event> events, Instant now) {
        List<PublishResult> results = store.publish(events, now);
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) == PublishResult.ACCEPTED) {
                lines.add("accepted " + events.get(i).id());
            }
        }
        return results;
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        Exchange exchange = store.exchange(settlements, requests, now);
        Set<Claim> unsettled = new HashSet<>(exchange.stale());
        for (Settlement settlement : settlements) {
            if (!unsettled.contains(settlement.claim())) {
                String kind = settlement.getClass().getSimpleName().toLowerCase(Locale.ROOT);
                lines.add(kind + " " + settlement.claim().event().id());
            }
        }
        return exchange;
    }

    @Override
    public void extend(Collection<Long> tokens, Duration lease, Instant now) {
        store.extend(tokens, lease, now);
    }

    @Override
    public int recover(Instant now, LeaseHolders holders) {
        return store.recover(now, holders);
    }

    @Override
    public int expire(Instant now) {
        return store.expire(now);
    }

    @Override
    public List<Scheduled> scheduled(Scheduled.Filter filter, int limit, Instant now) {
        return store.scheduled(filter, limit, now);
    }

    @Override
    public boolean cancel(String id, String correlationId, Instant now) {
        return store.cancel(id, correlationId, now);
    }

    @Override
    public List<SetAside> setAside(int limit, Instant now) {
        return store.setAside(limit, now);
    }

    @Override
    public StoreStats stats(Instant now) {
        return store.stats(now);
    }

    @Override
    public DeadLetters deadLetters() {
        return store.deadLetters();
    }

    @Override
    public SharedNotes notes() {
        return store.notes();
    }

    @Override
    public void onPublished(Runnable wake) {
        store.onPublished(wake);
    }

    @Override
    public void close() {
        store.close();
    }
}

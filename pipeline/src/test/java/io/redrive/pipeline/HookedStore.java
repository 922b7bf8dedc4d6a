package io.redrive.pipeline;

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
import java.util.List;
import java.util.function.Supplier;

/** A real store with a hook around each call: to count, to watch, to fail before or after the call took effect. */
class HookedStore implements EventStore {

    final List<ClaimRequest> claims = new ArrayList<>();
    private final EventStore store;

    HookedStore(EventStore store) {
        this.store = store;
    }

    /** Runs {@code call}, or not, or throws after it. */
    <T> T around(String name, Supplier<T> call) {
        return call.get();
    }

    @Override
    public List<PublishResult> publish(List<Event> events, Instant now) {
        return around("publish", () -> store.publish(events, now));
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        claims.addAll(requests);
        return around(settlements.isEmpty() ? "claim" : "settle", () -> store.exchange(settlements, requests, now));
    }

    /** Two, whatever the store says: that is the harder case. */
    @Override
    public int exchangesAtOnce() {
        return 2;
    }

    @Override
    public void extend(Collection<Long> tokens, Duration lease, Instant now) {
        around("extend", () -> {
            store.extend(tokens, lease, now);
            return null;
        });
    }

    @Override
    public int recover(Instant now, LeaseHolders holders) {
        return around("recover", () -> store.recover(now, holders));
    }

    @Override
    public int expire(Instant now) {
        return around("expire", () -> store.expire(now));
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
        return new SharedNotes() {
            @Override
            public List<Note> read() {
                return around("read notes", () -> store.notes().read());
            }

            @Override
            public boolean write(Note note) {
                return around("write note", () -> store.notes().write(note));
            }

            @Override
            public boolean erase(Note note) {
                return around("erase note", () -> store.notes().erase(note));
            }
        };
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

package io.redrive.events;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The unfinished events of the in-memory store, each in exactly one of four places: ready (in the sorted set of its
 * priority, among suspects or not), set aside (by name), claimed, or blocked behind an earlier event of its ordering key.
 * Only the first event of a key is ever ready or claimed, so claiming need not look at keys. Guarded by the store's
 * lock.
 */
final class InMemoryQueue {

    /** By the ordinal of the priority. */
    private final List<ReadyEvents> ready =
            Stream.generate(ReadyEvents::new).limit(Priority.values().length).toList();

    /** By the ordinal of the priority. */
    private final List<ReadyEvents> suspects =
            Stream.generate(ReadyEvents::new).limit(Priority.values().length).toList();
    /** Sorted by position, so that recovery goes in order and a simulation repeats itself. */
    private final Map<Long, StoredEvent> claimed = new TreeMap<>();
    /** Unfinished events of each ordering key, in the order of their positions. */
    private final Map<String, Deque<StoredEvent>> lines = new HashMap<>();

    void clear() {
        ready.forEach(ReadyEvents::clear);
        suspects.forEach(ReadyEvents::clear);
        claimed.clear();
        lines.clear();
    }

    /** Adds a new event: ready, or blocked when its key has an unfinished event. */
    void add(StoredEvent stored) {
        if (isFirstOfKey(stored)) {
            placeOf(stored).add(stored);
        }
    }

    /** Adds a new event without an ordering key that its publisher has claimed. */
    void addClaimed(StoredEvent stored) {
        claimed.put(stored.position, stored);
    }

    private boolean isFirstOfKey(StoredEvent added) {
        @Nullable String key = added.event.orderingKey().orElse(null);
        if (key == null) {
            return true;
        }
        Deque<StoredEvent> line = lines.computeIfAbsent(key, unused -> new ArrayDeque<>());
        line.addLast(added);
        return line.size() == 1;
    }

    /** Returns the ready events of the request's lane, in the order in which the request claims. */
    List<ReadyEvents> claimOrder(ClaimRequest request) {
        List<ReadyEvents> places = request.lane() == Lane.SUSPECT ? suspects : ready;
        List<ReadyEvents> order = new ArrayList<>();
        request.lane().priorities().forEach(priority -> order.add(places.get(priority.ordinal())));
        if (request.lowestFirst()) {
            Collections.reverse(order);
        }
        return order;
    }

    /** Claims the oldest due event that the filter accepts. Returns null when there is none. */
    @Nullable
    StoredEvent take(ReadyEvents from, ClaimFilter filter, Instant dueBy) {
        @Nullable StoredEvent taken = from.take(filter, dueBy);
        if (taken != null) {
            claimed.put(taken.position, taken);
        }
        return taken;
    }

    /** Returns the events that were set aside, by name; the oldest event of a name is the first of one of its sets. */
    Map<String, List<NavigableSet<StoredEvent>>> aside() {
        Map<String, List<NavigableSet<StoredEvent>>> byName = new TreeMap<>();
        List<ReadyEvents> all = new ArrayList<>(ready);
        all.addAll(suspects);
        for (ReadyEvents each : all) {
            each.aside()
                    .forEach((name, events) -> byName.computeIfAbsent(name, unused -> new ArrayList<>())
                            .add(events));
        }
        return byName;
    }

    /** Returns the events behind an earlier event of their ordering key. */
    List<StoredEvent> blocked() {
        List<StoredEvent> blocked = new ArrayList<>();
        for (Deque<StoredEvent> line : lines.values()) {
            line.stream().skip(1).forEach(blocked::add);
        }
        return blocked;
    }

    /** Returns the ordering keys of unfinished events. */
    Set<String> keys() {
        return lines.keySet();
    }

    /** Returns the first unfinished event of an ordering key. */
    Optional<StoredEvent> firstOf(String key) {
        return Optional.ofNullable(lines.get(key)).map(Deque::peekFirst);
    }

    /** Returns true when a claimer set the waiting event aside. */
    boolean isAside(StoredEvent stored) {
        return placeOf(stored).hasAside(stored);
    }

    /** Returns the event of a claim, or null when the claim is stale. */
    @Nullable
    StoredEvent held(Claim claim) {
        @Nullable StoredEvent stored = claimed.get(claim.position());
        return stored != null && stored.token() == claim.token() ? stored : null;
    }

    Collection<StoredEvent> claimed() {
        return claimed.values();
    }

    List<StoredEvent> claimed(Predicate<StoredEvent> which) {
        return claimed.values().stream().filter(which).toList();
    }

    /** Makes events whose lease has ended ready again, and returns their number. */
    int recover(Instant now, LeaseHolders holders) {
        List<StoredEvent> lost =
                claimed(stored -> stored.isLeaseOver(now) && !holders.unclear().contains(stored.holder()));
        Set<String> gone = lost.stream().map(StoredEvent::holder).collect(Collectors.toSet());
        gone.removeAll(holders.alive());
        gone.forEach(this::markNeighbours);
        for (StoredEvent stored : lost) {
            if (gone.contains(stored.holder()) && !(stored.isSuspect() && stored.hadNeighbours())) {
                stored.crashed(now);
            } else {
                stored.interrupted(now);
            }
            putBack(stored);
        }
        return lost.size();
    }

    /** Marks the claims of a holder of several claims: the leases of one process may end at different times. */
    private void markNeighbours(String holder) {
        List<StoredEvent> held = claimed(stored -> stored.holder().equals(holder));
        if (held.size() > 1) {
            held.forEach(StoredEvent::markNeighbours);
        }
    }

    /** Makes a claimed event ready again; later events of its key stay blocked. */
    void putBack(StoredEvent stored) {
        claimed.remove(stored.position);
        placeOf(stored).add(stored);
    }

    /** Removes a waiting event; behind the first event of a key, the next event becomes ready. */
    void remove(StoredEvent stored) {
        @Nullable
        Deque<StoredEvent> line = stored.event.orderingKey().map(lines::get).orElse(null);
        if (line != null && line.getFirst() != stored) {
            line.remove(stored);
            return;
        }
        placeOf(stored).remove(stored);
        finish(stored);
    }

    /** Removes a claimed event that is done or dead; the next event of its key becomes ready. */
    void finish(StoredEvent stored) {
        claimed.remove(stored.position);
        stored.event
                .orderingKey()
                .ifPresent(key -> lines.computeIfPresent(key, (unused, line) -> {
                    line.removeFirst();
                    if (line.isEmpty()) {
                        return null;
                    }
                    placeOf(line.getFirst()).add(line.getFirst());
                    return line;
                }));
    }

    /** Returns all events that are not claimed: ready, delayed, set aside and blocked. */
    List<StoredEvent> waiting() {
        List<StoredEvent> all = blocked();
        suspects.forEach(each -> each.addTo(all));
        ready.forEach(each -> each.addTo(all));
        return all;
    }

    private ReadyEvents placeOf(StoredEvent stored) {
        return (stored.isSuspect() ? suspects : ready)
                .get(stored.event.priority().ordinal());
    }
}

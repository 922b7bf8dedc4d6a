package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.ImmediateClaim;
import io.redrive.events.Lane;
import io.redrive.events.PublishResult;
import io.redrive.events.PublishedEvents;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Publishes events of this process, and claims as many of them at once as the pipeline has room for: the transaction that stores an
 * event also claims it, so that no exchange has to claim the event and read it back.
 *
 * <p>The coordinator offers room after each look at the store, and takes the claims in its next step. Publishers reserve room before
 * their transaction and give back what they did not use. A lane in which earlier events may wait offers none, or new events would
 * overtake them. The last quarter of a lane stays free for claims from the store, so that publishers of this process never starve
 * retries and events of other processes.
 *
 * <p>Thread-safe. No call holds the lock while it waits for the store.
 */
final class ImmediateClaims {

    private static final int LANES = Lane.values().length;

    private final EventStore store;
    private final String node;
    private final Duration lease;
    private final Runnable wake;
    private final Consumer<RuntimeException> trouble;

    // Guarded by this object.
    private ClaimFilter filter = new ClaimFilter(Set.of(), Set.of(), Duration.ZERO);
    /** The offered room by the ordinal of the lane, from which {@link #reserved} is not subtracted. */
    private int[] room = new int[LANES];
    /** Reserved room, and room of claims that have arrived, by the ordinal of the lane. */
    private final int[] reserved = new int[LANES];

    private List<Arrival> arrived = new ArrayList<>();
    private boolean open;
    private boolean closed;

    ImmediateClaims(EventStore store, String node, Duration lease, Runnable wake, Consumer<RuntimeException> trouble) {
        this.store = store;
        this.node = node;
        this.lease = lease;
        this.wake = wake;
        this.trouble = trouble;
    }

    /**
     * Claims that were made when their events were published.
     *
     * @param claims the claims
     * @param published the time of the publish call, when the leases began at the latest
     */
    record Arrival(List<Claim> claims, Instant published) {}

    /** From now on room is offered: a thread takes the claims that arrive. */
    synchronized void open() {
        open = true;
    }

    /** Offers no room from now on. Publishers release claims that arrive later. */
    synchronized void close() {
        closed = true;
    }

    /** Publishes these events, and claims those for which there is room. */
    List<PublishResult> publish(List<Event> events, Instant now) {
        List<Event> checked = List.copyOf(events);
        int[] byLane = new int[LANES];
        BitSet chosen = reserve(checked, byLane, now);
        if (chosen.isEmpty()) {
            return store.publish(checked, now);
        }
        List<Claim> claims = List.of();
        try {
            PublishedEvents published = store.publish(checked, new ImmediateClaim(node, chosen, lease), now);
            claims = published.claims();
            return published.results();
        } finally {
            if (!arrive(claims, byLane, now)) {
                release(claims, now);
            }
        }
    }

    /** Reserves room for some of these events, and counts the room by lane. */
    private synchronized BitSet reserve(List<Event> events, int[] byLane, Instant now) {
        BitSet chosen = new BitSet();
        if (!open || closed) {
            return chosen;
        }
        long bytes = 0;
        String accepted = "";
        for (int i = 0; i < events.size() && bytes < ClaimRequest.MAX_BYTES; i++) {
            Event event = events.get(i);
            int lane = event.priority().lane().ordinal();
            if (room[lane] <= reserved[lane] || !ImmediateClaim.isPossible(event, now)) {
                continue;
            }
            if (accepted.equals(event.name()) || filter.accepts(event.name())) {
                accepted = event.name();
                chosen.set(i);
                byLane[lane]++;
                reserved[lane]++;
                bytes += event.payloadSize();
            }
        }
        return chosen;
    }

    /** Hands claims to the coordinator, and gives back the room that was reserved in vain. Returns false after the close. */
    private boolean arrive(List<Claim> claims, int[] byLane, Instant published) {
        synchronized (this) {
            for (int lane = 0; lane < LANES; lane++) {
                reserved[lane] -= byLane[lane];
            }
            if (closed) {
                return false;
            }
            if (claims.isEmpty()) {
                return true;
            }
            claims.forEach(claim -> reserved[InFlight.laneOf(claim).ordinal()]++);
            arrived.add(new Arrival(claims, published));
        }
        wake.run();
        return true;
    }

    /** The events are stored: a failing release must not look like a failed publish call. The leases run out then. */
    private void release(List<Claim> claims, Instant now) {
        List<Settlement> releases =
                claims.stream().<Settlement>map(Settlement.Release::new).toList();
        try {
            if (!releases.isEmpty()) {
                store.settle(releases, now);
            }
        } catch (RuntimeException e) {
            trouble.accept(e);
        }
    }

    /** Removes and returns the claims that have arrived. Their room is no longer offered. */
    synchronized List<Arrival> take() {
        if (arrived.isEmpty()) {
            return List.of();
        }
        List<Arrival> taken = arrived;
        arrived = new ArrayList<>();
        for (Arrival arrival : taken) {
            for (Claim claim : arrival.claims()) {
                int lane = InFlight.laneOf(claim).ordinal();
                reserved[lane]--;
                room[lane]--;
            }
        }
        return taken;
    }

    /** Replaces the offered room, by the ordinal of the lane, and the names to claim. */
    synchronized void offer(ClaimFilter accepted, int[] byLane) {
        filter = accepted;
        room = byLane;
    }

    /** Returns the room of a lane that publishers have reserved, with claims that were not taken. */
    synchronized int reserved(Lane lane) {
        return reserved[lane.ordinal()];
    }
}

package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;

/**
 * A request to claim events in the transaction that publishes them, for a node in the process of the publisher. A claimed event never
 * enters a queue: no other node sees the event, and no further transaction has to claim it and read it back.
 *
 * <p>A store claims an event only if its due time has come, and never an event with an ordering key, which may have to wait for
 * earlier events of the key, or with a deadline, which the clock of the store may judge.
 *
 * @param node the node that claims
 * @param events the indexes of the events to claim, in the list of the publish call; copied
 * @param lease how long the claims hold without a heartbeat
 */
public record ImmediateClaim(String node, BitSet events, Duration lease) {

    /** Claims no event. */
    public static final ImmediateClaim NONE = new ImmediateClaim("none", new BitSet(), Duration.ofSeconds(1));

    /**
     * Checks node and lease.
     *
     * @throws IllegalArgumentException if the node is blank or too long, or the lease is not longer than zero
     */
    public ImmediateClaim {
        ClaimRequest.requireNode(node);
        if (lease.isNegative() || lease.isZero()) {
            throw new IllegalArgumentException("lease must be longer than zero, got " + lease);
        }
        events = (BitSet) events.clone();
    }

    /** Returns a copy of the indexes. */
    @Override
    public BitSet events() {
        return (BitSet) events.clone();
    }

    /** Returns true when the store should claim this event, if it is new. */
    public boolean includes(int index, Event event, Instant now) {
        return events.get(index) && isPossible(event, now);
    }

    /** Returns true when an event may be claimed in the transaction that publishes it. */
    public static boolean isPossible(Event event, Instant now) {
        return !event.due().isAfter(now)
                && event.orderingKey().isEmpty()
                && event.deadline().isEmpty();
    }
}

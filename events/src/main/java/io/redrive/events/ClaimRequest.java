package io.redrive.events;

import java.time.Duration;
import java.time.Instant;

/**
 * A request for events to handle.
 *
 * @param node the node that asks
 * @param lane the lane to claim from
 * @param demand the most events to claim
 * @param lowestFirst starts with the lane's least urgent priority; used from time to time so that no priority starves
 * @param lease how long the claims hold without a heartbeat
 * @param now the clock of the node; a store with its own clock (PostgreSQL) uses that clock instead
 * @param filter selects events of the lane
 */
public record ClaimRequest(
        String node, Lane lane, int demand, boolean lowestFirst, Duration lease, Instant now, ClaimFilter filter) {

    /** The most events of one request. */
    public static final int MAX_DEMAND = 1_000;
    /** An exchange stops claiming once its payloads reach this many bytes, which bounds the memory of a node. */
    public static final long MAX_BYTES = 16L * 1024 * 1024;

    /**
     * Checks demand and lease.
     *
     * @throws IllegalArgumentException if the demand or the lease is out of range
     */
    public ClaimRequest {
        requireNode(node);
        if (demand < 1 || demand > MAX_DEMAND) {
            throw new IllegalArgumentException("demand must be between 1 and " + MAX_DEMAND + ", got " + demand);
        }
        if (lease.isNegative() || lease.isZero()) {
            throw new IllegalArgumentException("lease must be longer than zero, got " + lease);
        }
    }

    /** Asks for every event of the lane. */
    public ClaimRequest(String node, Lane lane, int demand, boolean lowestFirst, Duration lease, Instant now) {
        this(node, lane, demand, lowestFirst, lease, now, ClaimFilter.ALL);
    }

    /** Returns the latest due time of claimed events. */
    public Instant dueBy() {
        return now.minus(filter.waited());
    }

    /**
     * Returns {@code node} if a store can keep it as the name of a node.
     *
     * @throws IllegalArgumentException otherwise
     */
    public static String requireNode(String node) {
        return Texts.require("node", node);
    }
}

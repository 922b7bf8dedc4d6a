package io.redrive.events;

import java.time.Duration;
import java.time.Instant;

/**
 * Asks for work.
 *
 * @param node who asks
 * @param lane from which lane
 * @param demand how many at most
 * @param lowestFirst start with the lane's least urgent priority: done now and then so that none starves
 * @param lease for how long
 * @param now the asker's clock; a store with a clock of its own (PostgreSQL) uses that instead
 * @param filter which events of the lane
 */
public record ClaimRequest(
        String node, Lane lane, int demand, boolean lowestFirst, Duration lease, Instant now, ClaimFilter filter) {

    /** How many a request may ask for. */
    public static final int MAX_DEMAND = 1_000;
    /** An exchange claims no more once its payloads reach so many bytes: memory is bounded however large they are. */
    public static final long MAX_BYTES = 16L * 1024 * 1024;

    /** Refuses a demand or lease that makes no sense. */
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

    /** The latest due time of an event that is claimed. */
    public Instant dueBy() {
        return now.minus(filter.waited());
    }

    /** Refuses what no store takes as the name of a node. */
    public static String requireNode(String node) {
        return Texts.require("node", node);
    }
}

package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Where a pipeline gets its work from and reports back to: the narrow, hot port. Implementations are thread-safe.
 *
 * <p>A call that throws may or may not have taken effect; all of them are safe to repeat.
 */
public interface Source {

    /**
     * Settles, then claims, all in one transaction: what a pipeline does at each step, for the price of one commit.
     *
     * <p>Each settlement is fenced by its claim's token. Claimed are events that are due, oldest due first within a
     * priority; events that were set aside for other claimers take turns with the rest. Due events that the filter of a
     * request refuses are set aside, as {@link ClaimFilter} says. Never hands an event to two claimers, never two events of one ordering key at a time, and never one whose
     * predecessor in the key is unfinished.
     *
     * @param settlements what became of earlier claims; may be empty
     * @param requests what to claim; may be empty
     * @param now the caller's clock, for the settlements
     */
    Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now);

    /** Claims alone. */
    default List<Claim> claim(ClaimRequest request) {
        return exchange(List.of(), List.of(request), request.now()).claims();
    }

    /**
     * Settles alone.
     *
     * @return the claims whose token was stale: nothing was changed for those
     */
    default List<Claim> settle(List<Settlement> settlements, Instant now) {
        return exchange(settlements, List.of(), now).stale();
    }

    /**
     * Extends the leases of these claims. By token and not by node: a claim whose answer got lost on the way must run out
     * instead of being kept alive by a worker that does not know of it.
     */
    void extend(Collection<Long> tokens, Duration lease, Instant now);

    /** How many exchanges of one node to have under way: one, where they would only wait for each other. */
    default int exchangesAtOnce() {
        return 1;
    }
}

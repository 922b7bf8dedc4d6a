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
     * Claims events that are due, oldest due first within a priority. Never hands an event to two claimers, never two
     * events of one ordering key at a time, and never one whose predecessor in the key is unfinished.
     */
    List<Claim> claim(ClaimRequest request);

    /**
     * Settles claims in one transaction, each fenced by its token.
     *
     * @return the claims whose token was stale: nothing was changed for those
     */
    List<Claim> settle(List<Settlement> settlements, Instant now);

    /**
     * Extends the leases of these claims. By token and not by node: a claim whose answer got lost on the way must run out
     * instead of being kept alive by a worker that does not know of it.
     */
    void extend(Collection<Long> tokens, Duration lease, Instant now);
}

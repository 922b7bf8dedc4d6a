package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
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

    /** Extends the leases of everything {@code node} has claimed. */
    void extend(String node, Duration lease, Instant now);
}

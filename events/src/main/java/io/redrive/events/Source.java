package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * The source of a pipeline's work and the receiver of its settlements: the narrow, hot port. Implementations are
 * thread-safe.
 *
 * <p>A call that throws may or may not have taken effect; every call may be repeated.
 */
public interface Source {

    /**
     * Settles and then claims, in one transaction: each step of a pipeline costs one commit.
     *
     * <p>Each settlement is fenced by its claim's token. A claim takes due events, oldest due first within a
     * priority; events that were set aside for other claimers take turns with the rest. Due events that the filter of
     * a request refuses are set aside, as {@link ClaimFilter} says. An event is never given to two claimers. Of one
     * ordering key at most one event is claimed at a time, and only after all earlier events of the key are finished.
     *
     * @param settlements the ends of earlier claims; may be empty
     * @param requests the requests for new claims; may be empty
     * @param now the caller's clock, for the settlements
     */
    Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now);

    /** Claims without settling. */
    default List<Claim> claim(ClaimRequest request) {
        return exchange(List.of(), List.of(request), request.now()).claims();
    }

    /**
     * Settles without claiming.
     *
     * @return the claims whose token was stale; the store changed nothing for them
     */
    default List<Claim> settle(List<Settlement> settlements, Instant now) {
        return exchange(settlements, List.of(), now).stale();
    }

    /**
     * Extends the leases of these claims. By token and not by node: a claim whose answer got lost must expire,
     * instead of being kept alive by a worker that does not know of the claim.
     */
    void extend(Collection<Long> tokens, Duration lease, Instant now);

    /**
     * Returns the number of exchanges that a node should have under way; one where exchanges would wait for each other, or
     * where claims step over the events that other nodes are claiming.
     *
     * @param nodes the number of live nodes, with this one; more nodes never lead to a greater number
     */
    default int exchangesAtOnce(int nodes) {
        return 1;
    }
}

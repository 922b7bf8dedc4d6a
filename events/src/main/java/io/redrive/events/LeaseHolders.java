package io.redrive.events;

import java.util.Set;

/**
 * What a caller of {@link EventStore#recover(java.time.Instant, LeaseHolders)} knows of the processes that hold leases, by the
 * node in their {@link ClaimRequest}. A process that is in neither set is gone.
 *
 * @param alive processes that live: a lease of theirs that ran out interrupted its events, and killed nobody
 * @param unclear processes that may live or not: their leases are left alone for now
 */
public record LeaseHolders(Set<String> alive, Set<String> unclear) {

    /** Every process whose lease ran out is gone. */
    public static final LeaseHolders ALL_GONE = new LeaseHolders(Set.of(), Set.of());

    /** Copies the sets. */
    public LeaseHolders {
        alive = Set.copyOf(alive);
        unclear = Set.copyOf(unclear);
    }
}

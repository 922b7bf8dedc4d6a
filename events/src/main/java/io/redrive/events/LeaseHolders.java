package io.redrive.events;

import java.util.Set;

/**
 * The processes that hold leases, by the node of their {@link ClaimRequest}, for {@link
 * EventStore#recover(java.time.Instant, LeaseHolders)}. A process in neither set is gone.
 *
 * @param alive living processes: an expired lease counts as an interruption of its events
 * @param unclear processes of unknown state: their leases stay
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

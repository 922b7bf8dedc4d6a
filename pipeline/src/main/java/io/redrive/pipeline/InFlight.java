package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The claims that are not settled yet: bounds demand, and knows which leases to extend. A claim that is being settled
 * makes room at once, but keeps its lease until the store has answered.
 *
 * <p>Keyed by claim and not by event: an event whose lease ran out may be claimed here again while the handler of the
 * first claim still runs. Both claims are held then, and each leaves on its own.
 *
 * <p>Only the coordinator adds and removes claims; the thread that extends leases reads. Thread-safe.
 */
final class InFlight {

    /** In the order of claiming. */
    private final Map<Id, Held> byId = new LinkedHashMap<>();

    /** By the ordinal of the lane, without claims that are being settled. */
    private final int[] perLane = new int[Lane.values().length];

    private record Id(long position, long token) {
        private static final long GOLDEN = 0x9E3779B97F4A7C15L;

        static Id of(Claim claim) {
            return new Id(claim.position(), claim.token());
        }

        /** Spreads positions and tokens that rise in step, which the hash of a record would put into few places of the map. */
        @Override
        public int hashCode() {
            long mixed = (position * GOLDEN + token) * GOLDEN;
            return (int) (mixed >>> Integer.SIZE);
        }
    }

    private static final class Held {
        private final Claim claim;
        private final Instant since;
        private boolean leaving;

        Held(Claim claim, Instant since) {
            this.claim = claim;
            this.since = since;
        }
    }

    static Lane laneOf(Claim claim) {
        return claim.isSuspect() ? Lane.SUSPECT : claim.event().priority().lane();
    }

    synchronized void add(List<Claim> claims, Instant now) {
        for (Claim claim : claims) {
            @Nullable Held before = byId.put(Id.of(claim), new Held(claim, now));
            if (before == null || before.leaving) {
                perLane[laneOf(claim).ordinal()]++;
            }
        }
    }

    /** Frees the room of claims that are being settled. If the exchange fails, the claims are settled again. */
    synchronized void leave(List<ClaimEnd> ends) {
        for (ClaimEnd end : ends) {
            makeRoom(byId.get(Id.of(end.settlement().claim())));
        }
    }

    /** Removes settled claims. */
    synchronized void remove(List<ClaimEnd> ends) {
        for (ClaimEnd end : ends) {
            makeRoom(byId.remove(Id.of(end.settlement().claim())));
        }
    }

    private void makeRoom(@Nullable Held held) {
        if (held != null && !held.leaving) {
            held.leaving = true;
            perLane[laneOf(held.claim).ordinal()]--;
        }
    }

    /** Returns the number of claims of a lane, without claims that are being settled. */
    synchronized int count(Lane lane) {
        return perLane[lane.ordinal()];
    }

    synchronized boolean isEmpty() {
        return byId.isEmpty();
    }

    /** Returns the claims, without claims that are being settled. */
    synchronized List<Claim> staying() {
        return byId.values().stream()
                .filter(held -> !held.leaving)
                .map(held -> held.claim)
                .toList();
    }

    /** Returns the number of claims of all lanes, with claims that are being settled. */
    synchronized int size() {
        return byId.size();
    }

    /** Returns when the oldest claim was made; empty when there is none. */
    synchronized Optional<Instant> oldest() {
        return byId.values().stream().findFirst().map(held -> held.since);
    }

    synchronized Set<Long> tokens() {
        return byId.keySet().stream().map(Id::token).collect(Collectors.toSet());
    }
}

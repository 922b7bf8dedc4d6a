package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

    private final Set<Id> leaving = new HashSet<>();
    private final Map<Lane, Integer> perLane = new EnumMap<>(Lane.class);

    private record Id(long position, long token) {
        static Id of(Claim claim) {
            return new Id(claim.position(), claim.token());
        }
    }

    private record Held(Claim claim, Instant since) {}

    static Lane laneOf(Claim claim) {
        return claim.isSuspect() ? Lane.SUSPECT : claim.event().priority().lane();
    }

    synchronized void add(Claim claim, Instant now) {
        byId.put(Id.of(claim), new Held(claim, now));
        perLane.merge(laneOf(claim), 1, Integer::sum);
    }

    /** Frees the room of a claim that is being settled. If the exchange fails, the claim is settled again. */
    synchronized void leave(Claim claim) {
        if (byId.containsKey(Id.of(claim)) && leaving.add(Id.of(claim))) {
            perLane.merge(laneOf(claim), -1, Integer::sum);
        }
    }

    /** Removes a settled claim. */
    synchronized void remove(Claim claim) {
        leave(claim);
        leaving.remove(Id.of(claim));
        byId.remove(Id.of(claim));
    }

    /** Returns the number of claims of a lane, without claims that are being settled. */
    synchronized int count(Lane lane) {
        return perLane.getOrDefault(lane, 0);
    }

    synchronized boolean isEmpty() {
        return byId.isEmpty();
    }

    /** Returns the claims, without claims that are being settled. */
    synchronized List<Claim> staying() {
        return byId.values().stream()
                .map(Held::claim)
                .filter(claim -> !leaving.contains(Id.of(claim)))
                .toList();
    }

    /** Returns the number of claims of all lanes, with claims that are being settled. */
    synchronized int size() {
        return byId.size();
    }

    /** Returns when the oldest claim was made; empty when there is none. */
    synchronized Optional<Instant> oldest() {
        return byId.values().stream().findFirst().map(Held::since);
    }

    synchronized Set<Long> tokens() {
        return byId.keySet().stream().map(Id::token).collect(Collectors.toSet());
    }
}

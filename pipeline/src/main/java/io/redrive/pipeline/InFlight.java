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
 * What the pipeline has claimed and not yet settled: bounds demand, and tells whose leases to extend. What is just being
 * settled leaves room already, but keeps its lease until the store has answered.
 *
 * <p>Counted by claim and not by event: an event whose lease ran out may be claimed here again while the handler of the
 * first claim is still busy. Then there are two, and each leaves on its own.
 *
 * <p>Changed by the coordinator alone, read by the thread that extends leases too. Thread-safe.
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

    /** It is being settled; should that fail, it will be tried again. */
    synchronized void leave(Claim claim) {
        if (byId.containsKey(Id.of(claim)) && leaving.add(Id.of(claim))) {
            perLane.merge(laneOf(claim), -1, Integer::sum);
        }
    }

    /** It was settled. */
    synchronized void remove(Claim claim) {
        leave(claim);
        leaving.remove(Id.of(claim));
        byId.remove(Id.of(claim));
    }

    /** How many of a lane are not being settled yet. */
    synchronized int count(Lane lane) {
        return perLane.getOrDefault(lane, 0);
    }

    synchronized boolean isEmpty() {
        return byId.isEmpty();
    }

    /** Those that are not being settled yet. */
    synchronized List<Claim> staying() {
        return byId.values().stream()
                .map(Held::claim)
                .filter(claim -> !leaving.contains(Id.of(claim)))
                .toList();
    }

    /** When the claim that is held longest was made; empty when none is held. */
    synchronized Optional<Instant> oldest() {
        return byId.values().stream().findFirst().map(Held::since);
    }

    synchronized Set<Long> tokens() {
        return byId.keySet().stream().map(Id::token).collect(Collectors.toSet());
    }
}

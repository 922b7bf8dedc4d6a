package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the pipeline has claimed and not yet settled: bounds demand, and tells whose leases to extend.
 *
 * <p>Counted by claim and not by event: an event whose lease ran out may be claimed here again while the handler of the
 * first claim is still busy. Then there are two, and each leaves on its own.
 */
final class InFlight {

    private final Map<Id, Claim> byId = new LinkedHashMap<>();
    private final Map<Lane, Integer> perLane = new EnumMap<>(Lane.class);

    private record Id(long position, long token) {
        static Id of(Claim claim) {
            return new Id(claim.position(), claim.token());
        }
    }

    static Lane laneOf(Claim claim) {
        return claim.isSuspect() ? Lane.SUSPECT : claim.event().priority().lane();
    }

    void add(Claim claim) {
        byId.put(Id.of(claim), claim);
        perLane.merge(laneOf(claim), 1, Integer::sum);
    }

    void remove(Claim claim) {
        if (byId.remove(Id.of(claim)) != null) {
            perLane.merge(laneOf(claim), -1, Integer::sum);
        }
    }

    int count(Lane lane) {
        return perLane.getOrDefault(lane, 0);
    }

    boolean isEmpty() {
        return byId.isEmpty();
    }

    List<Claim> all() {
        return List.copyOf(byId.values());
    }

    Set<Long> tokens() {
        return byId.keySet().stream().map(Id::token).collect(Collectors.toSet());
    }
}

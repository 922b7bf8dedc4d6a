package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What the pipeline has claimed and not yet settled: bounds demand, and tells whose leases to extend. */
final class InFlight {

    private final Map<Long, Claim> byPosition = new HashMap<>();
    private final Map<Lane, Integer> perLane = new EnumMap<>(Lane.class);

    static Lane laneOf(Claim claim) {
        return claim.isSuspect() ? Lane.SUSPECT : claim.event().priority().lane();
    }

    void add(Claim claim) {
        byPosition.put(claim.position(), claim);
        perLane.merge(laneOf(claim), 1, Integer::sum);
    }

    void remove(Claim claim) {
        if (byPosition.remove(claim.position(), claim)) {
            perLane.merge(laneOf(claim), -1, Integer::sum);
        }
    }

    int count(Lane lane) {
        return perLane.getOrDefault(lane, 0);
    }

    boolean isEmpty() {
        return byPosition.isEmpty();
    }

    List<Claim> all() {
        return List.copyOf(byPosition.values());
    }

    Set<Long> tokens() {
        return byPosition.values().stream().map(Claim::token).collect(Collectors.toSet());
    }
}

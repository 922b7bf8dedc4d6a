package io.redrive.bench;

import java.util.Map;
import java.util.function.DoubleBinaryOperator;

/** The figures of a metric; {@code limit} is null when absent. */
record Measured(String metric, double ours, Map<String, Double> peers, Double limit) {

    double leastPeer() {
        return peer(Math::min);
    }

    double greatestPeer() {
        return peer(Math::max);
    }

    private double peer(DoubleBinaryOperator better) {
        return peers.values().stream()
                .mapToDouble(Double::doubleValue)
                .reduce(better)
                .orElseThrow(() -> new IllegalStateException(metric + " has no peer to compare with"));
    }
}

package io.redrive.bench;

import java.util.Map;
import java.util.function.DoubleBinaryOperator;

/**
 * The figures of a metric; {@code limit} is null when absent, {@code spread} when only one figure was taken. The spread is the
 * distance of Redrive's greatest figure from the least, as a share of the median.
 */
record Measured(String metric, double ours, Map<String, Double> peers, Double limit, Double spread) {

    /** Figures that were taken once. */
    Measured(String metric, double ours, Map<String, Double> peers, Double limit) {
        this(metric, ours, peers, limit, null);
    }

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

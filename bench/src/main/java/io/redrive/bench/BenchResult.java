package io.redrive.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A metric of a case. {@code limit} is the figure of bare code without any library, {@code target} the rule for
 * {@code ours}, {@code met} whether {@code ours} satisfies the rule, {@code spread} that of {@link Measured}; each is null when
 * absent.
 */
record BenchResult(
        String suite,
        String caseName,
        String metric,
        double ours,
        Map<String, Double> peers,
        Double limit,
        String target,
        Boolean met,
        Double spread) {

    BenchResult {
        requireNumber("ours", ours);
        peers.forEach(BenchResult::requireNumber);
        if (limit != null) {
            requireNumber("limit", limit);
        }
        peers = Collections.unmodifiableMap(new LinkedHashMap<>(peers));
    }

    /** A result without a target. */
    static BenchResult plain(String suite, String caseName, Measured measured) {
        return of(suite, caseName, measured, null, null);
    }

    /** A result with a target. */
    static BenchResult judged(String suite, String caseName, Measured measured, Target target) {
        return of(suite, caseName, measured, target.text(), target.isMetBy(measured));
    }

    private static BenchResult of(String suite, String caseName, Measured measured, String target, Boolean met) {
        return new BenchResult(
                suite,
                caseName,
                measured.metric(),
                measured.ours(),
                measured.peers(),
                measured.limit(),
                target,
                met,
                measured.spread());
    }

    /** The fields of the line in the results file. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("suite", suite);
        fields.put("case", caseName);
        fields.put("metric", metric);
        fields.put("ours", ours);
        fields.put("peers", peers);
        fields.put("limit", limit);
        fields.put("target", target);
        fields.put("met", met);
        fields.put("spread", spread);
        return fields;
    }

    private static void requireNumber(String what, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(what + " must be a number, got " + value);
        }
    }
}

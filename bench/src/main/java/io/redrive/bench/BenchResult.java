package io.redrive.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A metric of a case. {@code limit} is the figure of bare code without any library, {@code target} the rule for
 * {@code ours}, {@code met} whether {@code ours} satisfies the rule; each is null when absent.
 */
record BenchResult(
        String suite,
        String caseName,
        String metric,
        double ours,
        Map<String, Double> peers,
        Double limit,
        String target,
        Boolean met) {

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
        return new BenchResult(
                suite, caseName, measured.metric(), measured.ours(), measured.peers(), measured.limit(), null, null);
    }

    /** A result with a target. */
    static BenchResult judged(String suite, String caseName, Measured measured, Target target) {
        return new BenchResult(
                suite,
                caseName,
                measured.metric(),
                measured.ours(),
                measured.peers(),
                measured.limit(),
                target.text(),
                target.isMetBy(measured));
    }

    /** The line of the results file. */
    String toJson() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("suite", suite);
        fields.put("case", caseName);
        fields.put("metric", metric);
        fields.put("ours", ours);
        fields.put("peers", peers);
        fields.put("limit", limit);
        fields.put("target", target);
        fields.put("met", met);
        return Json.write(fields);
    }

    private static void requireNumber(String what, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(what + " must be a number, got " + value);
        }
    }
}

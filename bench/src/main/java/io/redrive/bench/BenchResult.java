package io.redrive.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One metric of one case. {@code limit} is what bare code without any library reaches, {@code target} the rule that
 * {@code ours} was to satisfy, {@code met} whether it did; each is null where there is none.
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

    /** A result nobody set a target for. */
    static BenchResult plain(String suite, String caseName, Measured measured) {
        return new BenchResult(
                suite, caseName, measured.metric(), measured.ours(), measured.peers(), measured.limit(), null, null);
    }

    /** A result held against its target. */
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

package io.redrive.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line of the results as the report reads it.
 *
 * @param contestants the figures by name: {@code Redrive}, then the peers, then {@code limit} where there is one
 * @param target empty when the case has none
 * @param missed true when the case has a target and misses it
 * @param spread of Redrive's rounds; negative when there was one round
 */
record ReportLine(
        String suite,
        String caseName,
        String metric,
        Map<String, Double> contestants,
        String target,
        boolean missed,
        double spread,
        boolean quick,
        String at,
        String machine,
        double load) {

    static final String OURS = "Redrive";
    static final String LIMIT = "limit";

    static ReportLine read(String json) {
        Map<String, Object> fields = Json.read(json);
        if (!(fields.get("ours") instanceof Double ours)
                || text(fields, "suite").isEmpty()) {
            throw new IllegalArgumentException(
                    "a line of results must have a suite and a number of Redrive, got " + json);
        }
        Map<String, Double> contestants = new LinkedHashMap<>();
        contestants.put(OURS, ours);
        if (fields.get("peers") instanceof Map<?, ?> peers) {
            peers.forEach((name, value) -> {
                if (value instanceof Double figure) {
                    contestants.put(name.toString(), figure);
                }
            });
        }
        if (fields.get("limit") instanceof Double limit) {
            contestants.put(LIMIT, limit);
        }
        return new ReportLine(
                text(fields, "suite"),
                text(fields, "case"),
                text(fields, "metric"),
                contestants,
                text(fields, "target"),
                Boolean.FALSE.equals(fields.get("met")),
                number(fields, "spread"),
                Boolean.TRUE.equals(fields.get("quick")),
                text(fields, "at"),
                text(fields, "machine"),
                number(fields, "load"));
    }

    private static String text(Map<String, Object> fields, String name) {
        return fields.get(name) == null ? "" : fields.get(name).toString();
    }

    private static double number(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof Double value ? value : -1;
    }

    double ours() {
        return contestants.get(OURS);
    }

    /** Returns true when the load before the run was above the number of cores: other work took a part of the machine. */
    boolean busy() {
        String cores = machine.replaceFirst(" .*", "");
        return cores.matches("\\d+") && load > Integer.parseInt(cores);
    }

    /** Rates and ratios are better the greater they are; times, sizes and counts the smaller. */
    boolean moreIsBetter() {
        return metric.endsWith("/s") || metric.equals("ratio");
    }

    /** Returns the contestants with a better figure than Redrive, best first. */
    Map<String, Double> ahead() {
        Map<String, Double> better = new LinkedHashMap<>();
        contestants.entrySet().stream()
                .filter(each -> moreIsBetter() ? each.getValue() > ours() : each.getValue() < ours())
                .sorted(
                        moreIsBetter()
                                ? Map.Entry.<String, Double>comparingByValue().reversed()
                                : Map.Entry.comparingByValue())
                .forEach(each -> better.put(each.getKey(), each.getValue()));
        return better;
    }
}

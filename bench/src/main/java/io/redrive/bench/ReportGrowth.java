package io.redrive.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds the cases of a suite that measure the same thing under a growing load, and plots each such family. */
final class ReportGrowth {

    private static final List<String> PERCENTILES = List.of("p50 ms", EventLoad.P99, "p99.9 ms");

    private ReportGrowth() {}

    /** Returns the plots by the end of their file names. */
    static Map<String, GrowthPlot> plots(String suite, List<ReportLine> lines) {
        Map<String, GrowthPlot> all = new LinkedHashMap<>();
        all.put("latency", latency(suite, lines));
        all.put("nodes", nodes(suite, lines));
        all.put("delayed", delayed(suite, lines));
        all.values().removeIf(plot -> !plot.isWorthDrawing());
        return all;
    }

    private static GrowthPlot latency(String suite, List<ReportLine> lines) {
        Map<String, String> steps = new LinkedHashMap<>();
        steps.put("idle-latency", "idle");
        for (String share : List.of("25", "50", "75")) {
            steps.put("latency-" + share, share + " % of the rate");
        }
        Map<String, GrowthPlot.Line> found = new TreeMap<>();
        for (ReportLine line : lines) {
            if (steps.containsKey(line.caseName()) && PERCENTILES.contains(line.metric())) {
                String percentile = line.metric().replace(" ms", "");
                line.contestants()
                        .forEach((name, figure) -> found.computeIfAbsent(
                                        name + percentile,
                                        key -> new GrowthPlot.Line(name, percentile, new LinkedHashMap<>()))
                                .figures()
                                .put(steps.get(line.caseName()), figure));
            }
        }
        return new GrowthPlot(
                suite + ": time from publish to the start of the handler, above the load",
                "ms",
                GrowthPlot.Scale.LOGARITHMIC,
                present(steps.values(), found.values()),
                List.copyOf(found.values()));
    }

    private static GrowthPlot nodes(String suite, List<ReportLine> lines) {
        Map<String, String> steps = new LinkedHashMap<>();
        steps.put("drain", "1 node");
        steps.put("drain-2-nodes", "2 nodes");
        steps.put("drain-4-nodes", "4 nodes");
        return ours(
                suite + ": draining a backlog with more nodes on the same machine",
                EventLoad.RATE,
                steps,
                lines,
                Map.of());
    }

    private static GrowthPlot delayed(String suite, List<ReportLine> lines) {
        Map<String, String> steps = new LinkedHashMap<>();
        steps.put("delayed-300k", "300,000");
        steps.put("delayed-1m", "1,000,000 delayed events");
        return ours(
                suite + ": rate beside delayed events, divided by the rate without",
                "ratio",
                steps,
                lines,
                Map.of("no delayed events", 1.0));
    }

    /** Returns a plot of Redrive alone, which begins with the given figure. */
    private static GrowthPlot ours(
            String title, String metric, Map<String, String> steps, List<ReportLine> lines, Map<String, Double> first) {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (Map.Entry<String, String> step : steps.entrySet()) {
            lines.stream()
                    .filter(line -> line.caseName().equals(step.getKey())
                            && line.metric().equals(metric))
                    .forEach(line -> figures.put(step.getValue(), line.ours()));
        }
        Map<String, Double> all = new LinkedHashMap<>(figures.isEmpty() ? Map.of() : first);
        all.putAll(figures);
        GrowthPlot.Line line = new GrowthPlot.Line(ReportLine.OURS, "", all);
        return new GrowthPlot(
                title,
                metric.equals("ratio") ? "" : metric,
                GrowthPlot.Scale.LINEAR,
                List.copyOf(all.keySet()),
                List.of(line));
    }

    /** Returns the steps that any line has, in their order. */
    private static List<String> present(Iterable<String> steps, Iterable<GrowthPlot.Line> lines) {
        List<String> present = new ArrayList<>();
        for (String step : steps) {
            for (GrowthPlot.Line line : lines) {
                if (line.figures().containsKey(step) && !present.contains(step)) {
                    present.add(step);
                }
            }
        }
        return present;
    }
}

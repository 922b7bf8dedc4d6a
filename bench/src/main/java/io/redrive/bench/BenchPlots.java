package io.redrive.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Draws results as SVG: bars of all contestants of each case, and latencies above the load. */
final class BenchPlots {

    private static final int WIDTH = 860;
    private static final int LABEL = 250;
    private static final int BAR = 16;
    private static final int GAP = 12;
    private static final int NUMBER = 110;
    private static final int PLOT_HEIGHT = 300;
    private static final int MARGIN = 60;
    private static final String OURS_COLOUR = "#1d4ed8";
    private static final String LIMIT_COLOUR = "#6b7280";
    private static final List<String> PEER_COLOURS = List.of("#b45309", "#047857", "#7c3aed", "#be123c", "#0e7490");

    private BenchPlots() {}

    /** Returns bars for each case with a peer or a limit; within a case the longest bar is the greatest figure. */
    static String bars(String title, List<ReportLine> lines) {
        StringBuilder body = new StringBuilder();
        int y = 40;
        for (ReportLine line : lines) {
            double greatest = line.contestants().values().stream()
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(1);
            body.append(text(LABEL - 10, y + 12, "end", line.caseName() + ", " + line.metric()));
            List<String> names = List.copyOf(line.contestants().keySet());
            for (String name : names) {
                double value = line.contestants().get(name);
                double length = greatest <= 0 ? 0 : value / greatest * (WIDTH - LABEL - NUMBER - 90);
                body.append(String.format(
                        Locale.ROOT,
                        "<rect x='%d' y='%d' width='%.1f' height='%d' fill='%s'/>\n",
                        LABEL,
                        y,
                        Math.max(1, length),
                        BAR - 3,
                        colour(name, names)));
                body.append(text(
                        (int) (LABEL + Math.max(1, length) + 6),
                        y + 11,
                        "start",
                        ResultTable.number(value) + " " + name));
                y += BAR;
            }
            y += GAP;
        }
        return svg(title, y + 10, body.toString());
    }

    /** A point of the latency plot: the share of load in percent, and the line of the results. */
    record LoadPoint(int percent, ReportLine line) {}

    /** Returns the 99th percentile of each contestant above the load, on a logarithmic scale. */
    static String latencies(String title, List<LoadPoint> points) {
        Set<String> names = new LinkedHashSet<>();
        points.forEach(point -> names.addAll(point.line().contestants().keySet()));
        double most = points.stream()
                .flatMap(point -> point.line().contestants().values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
        double top = Math.ceil(Math.log10(Math.max(10, most)));
        StringBuilder body = new StringBuilder();
        for (int power = 0; power <= top; power++) {
            double y = height(power, top);
            body.append(String.format(
                    Locale.ROOT,
                    "<line x1='%d' y1='%.0f' x2='%d' y2='%.0f' stroke='#d1d5db'/>\n",
                    MARGIN,
                    y,
                    WIDTH - 160,
                    y));
            body.append(text(MARGIN - 6, (int) y + 4, "end", Json.number(Math.pow(10, power)) + " ms"));
        }
        points.stream()
                .map(LoadPoint::percent)
                .distinct()
                .forEach(percent -> body.append(
                        text(x(percent), PLOT_HEIGHT + 60, "middle", percent == 0 ? "idle" : percent + " %")));
        List<String> ordered = new ArrayList<>(names);
        for (String name : ordered) {
            body.append(line(name, points, top, colour(name, ordered)));
        }
        return svg(title, PLOT_HEIGHT + 80, body.toString());
    }

    private static String line(String name, List<LoadPoint> points, double top, String colour) {
        Map<Integer, Double> values = new TreeMap<>();
        points.forEach(point -> {
            Double value = point.line().contestants().get(name);
            if (value != null) {
                values.put(point.percent(), value);
            }
        });
        StringBuilder path = new StringBuilder();
        int lastX = 0;
        double lastY = 0;
        for (Map.Entry<Integer, Double> value : values.entrySet()) {
            lastX = x(value.getKey());
            lastY = height(Math.log10(Math.max(1, value.getValue())), top);
            path.append(path.isEmpty() ? "M" : "L").append(String.format(Locale.ROOT, "%d %.1f ", lastX, lastY));
        }
        return "<path d='%s' fill='none' stroke='%s' stroke-width='2'/>\n"
                        .formatted(path.toString().strip(), colour)
                + text(lastX + 8, (int) lastY + 4, "start", name);
    }

    private static int x(int percent) {
        return MARGIN + 20 + percent * (WIDTH - MARGIN - 220) / 100;
    }

    private static double height(double power, double top) {
        return 40 + PLOT_HEIGHT * (1 - power / top);
    }

    private static String colour(String name, List<String> names) {
        if (name.equals(ReportLine.OURS)) {
            return OURS_COLOUR;
        }
        return name.equals(ReportLine.LIMIT)
                ? LIMIT_COLOUR
                : PEER_COLOURS.get(names.indexOf(name) % PEER_COLOURS.size());
    }

    private static String text(int x, int y, String anchor, String text) {
        return "<text x='%d' y='%d' text-anchor='%s'>%s</text>\n".formatted(x, y, anchor, escaped(text));
    }

    private static String svg(String title, int height, String body) {
        return """
                <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='12' role='img'>
                <title>%s</title>
                <rect width='100%%' height='100%%' fill='white'/>
                <text x='10' y='20' font-size='14' font-weight='bold'>%s</text>
                %s</svg>
                """.formatted(
                        WIDTH,
                        height,
                        escaped(title),
                        escaped(title),
                        body.lines().map(String::stripTrailing).reduce("", (all, next) -> all + next + "\n"));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}

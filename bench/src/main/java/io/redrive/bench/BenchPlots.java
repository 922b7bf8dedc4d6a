package io.redrive.bench;

import java.util.List;
import java.util.Locale;

/** Draws results as SVG: bars of all contestants of each case. {@link GrowthPlot} draws figures above the load. */
final class BenchPlots {

    static final int WIDTH = 860;

    private static final int LABEL = 250;
    private static final int BAR = 16;
    private static final int GAP = 12;
    private static final int NUMBER = 110;
    private static final String OURS_COLOUR = "#1d4ed8";
    private static final String LIMIT_COLOUR = "#6b7280";
    private static final List<String> PEER_COLOURS = List.of("#b45309", "#047857", "#7c3aed", "#be123c", "#0e7490");

    private BenchPlots() {}

    /**
     * Returns bars for each case with a peer or a limit; within a case the longest bar is the greatest figure. A cross marks a missed
     * target.
     */
    static String bars(String title, List<ReportLine> lines) {
        StringBuilder body = new StringBuilder();
        int y = 40;
        for (ReportLine line : lines) {
            double greatest = line.contestants().values().stream()
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(1);
            body.append(text(
                    LABEL - 10, y + 12, "end", (line.missed() ? "✗ " : "") + line.caseName() + ", " + line.metric()));
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

    static String colour(String name, List<String> names) {
        if (name.equals(ReportLine.OURS)) {
            return OURS_COLOUR;
        }
        return name.equals(ReportLine.LIMIT)
                ? LIMIT_COLOUR
                : PEER_COLOURS.get(names.indexOf(name) % PEER_COLOURS.size());
    }

    static String text(int x, int y, String anchor, String text) {
        return "<text x='%d' y='%d' text-anchor='%s'>%s</text>\n".formatted(x, y, anchor, escaped(text));
    }

    static String svg(String title, int height, String body) {
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

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}

package io.redrive.examples.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Panels side by side under a common legend, as an SVG of the width of a GitHub page. */
final class Chart {

    private static final double WIDTH = 860;
    private static final double LEGEND_LINE = 22;
    private static final double LETTER = 6.4;

    private final String description;
    private final int columns;
    private final double panelHeight;
    private final Map<String, String> legend = new LinkedHashMap<>();
    private final List<Panel> panels = new ArrayList<>();

    Chart(String description, int columns, double panelHeight) {
        this.description = description;
        this.columns = columns;
        this.panelHeight = panelHeight;
    }

    Chart legend(String name, String colour) {
        legend.put(name, colour);
        return this;
    }

    Chart panel(Panel panel) {
        panels.add(panel);
        return this;
    }

    String svg() {
        int rows = (panels.size() + columns - 1) / columns;
        double top = legendHeight();
        Svg svg = new Svg(WIDTH, top + rows * panelHeight, description);
        drawLegend(svg);
        double width = WIDTH / columns;
        for (int i = 0; i < panels.size(); i++) {
            svg.group((i % columns) * width, top + (i / columns) * panelHeight);
            panels.get(i).draw(svg, width, panelHeight);
            svg.endGroup();
        }
        return svg.end();
    }

    private double legendHeight() {
        return legend.isEmpty() ? 4 : 12 + LEGEND_LINE * (1 + legendBreaks());
    }

    private int legendBreaks() {
        int breaks = 0;
        double at = Panel.LEFT;
        for (String name : legend.keySet()) {
            if (at + entryWidth(name) > WIDTH) {
                breaks++;
                at = Panel.LEFT;
            }
            at += entryWidth(name);
        }
        return breaks;
    }

    private void drawLegend(Svg svg) {
        double x = Panel.LEFT;
        double y = 18;
        for (Map.Entry<String, String> entry : legend.entrySet()) {
            if (x + entryWidth(entry.getKey()) > WIDTH) {
                x = Panel.LEFT;
                y += LEGEND_LINE;
            }
            svg.line(x, y - 4, x + 18, y - 4, "stroke=\"" + entry.getValue() + "\" stroke-width=\"3\"");
            svg.text(x + 24, y, "text-anchor=\"start\"", entry.getKey());
            x += entryWidth(entry.getKey());
        }
    }

    private static double entryWidth(String name) {
        return 24 + name.length() * LETTER + 16;
    }
}

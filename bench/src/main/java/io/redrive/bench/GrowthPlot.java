package io.redrive.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws figures above a growing load as SVG lines: one line for each contestant and metric, with its name at its end. The steps
 * of the load have equal distances, whatever their values are.
 *
 * @param title what the plot shows
 * @param unit the unit of the figures
 * @param scale linear from zero, or logarithmic
 * @param steps the names of the steps of the load
 * @param lines the figures of each line by step; a line may lack steps
 */
record GrowthPlot(String title, String unit, Scale scale, List<String> steps, List<Line> lines) {

    private static final int LEFT = 120;
    private static final int NAMES = 230;
    private static final int TOP = 45;
    private static final int HEIGHT = 300;
    private static final int NAME_DISTANCE = 14;
    private static final int TICKS = 5;

    enum Scale {
        LINEAR,
        LOGARITHMIC
    }

    /**
     * The figures of one contestant.
     *
     * @param contestant gives the line its colour
     * @param metric stands behind the name of the contestant, and gives the line its dashes; empty when all lines have one metric
     * @param figures the figures by step
     */
    record Line(String contestant, String metric, Map<String, Double> figures) {
        String name() {
            return metric.isEmpty() ? contestant : contestant + " " + metric;
        }

        private String dashes() {
            if (metric.startsWith("p50")) {
                return " stroke-dasharray='2 4'";
            }
            return metric.startsWith("p99.9") ? " stroke-dasharray='9 4'" : "";
        }
    }

    /** Returns true when there is something to compare: a line with two steps. */
    boolean isWorthDrawing() {
        return lines.stream().anyMatch(line -> line.figures().size() > 1);
    }

    String svg() {
        Axis axis = Axis.of(this);
        StringBuilder body = new StringBuilder();
        for (double tick : axis.ticks) {
            body.append(String.format(
                    Locale.ROOT,
                    "<line x1='%d' y1='%.0f' x2='%d' y2='%.0f' stroke='#d1d5db'/>\n",
                    LEFT,
                    axis.y(tick),
                    BenchPlots.WIDTH - NAMES,
                    axis.y(tick)));
            body.append(
                    BenchPlots.text(LEFT - 8, (int) axis.y(tick) + 4, "end", ResultTable.number(tick) + " " + unit));
        }
        for (String step : steps) {
            body.append(BenchPlots.text(x(step), TOP + HEIGHT + 22, "middle", step));
        }
        List<String> contestants =
                lines.stream().map(Line::contestant).distinct().toList();
        Map<Line, Double> ends = new LinkedHashMap<>();
        for (Line line : lines) {
            String colour = BenchPlots.colour(line.contestant(), contestants);
            ends.put(line, draw(line, axis, colour, body));
        }
        names(ends, contestants, body);
        return BenchPlots.svg(title, TOP + HEIGHT + 40, body.toString());
    }

    /** Draws a line with a point at each step, and returns the height of its end. */
    private double draw(Line line, Axis axis, String colour, StringBuilder body) {
        StringBuilder path = new StringBuilder();
        double end = TOP;
        for (String step : steps) {
            Double figure = line.figures().get(step);
            if (figure != null) {
                end = axis.y(figure);
                path.append(path.isEmpty() ? "M" : "L").append(String.format(Locale.ROOT, "%d %.1f ", x(step), end));
                body.append(String.format(
                        Locale.ROOT, "<circle cx='%d' cy='%.1f' r='3' fill='%s'/>\n", x(step), end, colour));
            }
        }
        body.append("<path d='%s' fill='none' stroke='%s' stroke-width='2'%s/>\n"
                .formatted(path.toString().strip(), colour, line.dashes()));
        return end;
    }

    /** Writes each name beside the end of its line, below the name of the line above where they would overlap. */
    private void names(Map<Line, Double> ends, List<String> contestants, StringBuilder body) {
        List<Map.Entry<Line, Double>> fromAbove = new ArrayList<>(ends.entrySet());
        fromAbove.sort(Comparator.comparingDouble(Map.Entry::getValue));
        double free = TOP - NAME_DISTANCE;
        for (Map.Entry<Line, Double> end : fromAbove) {
            Line line = end.getKey();
            free = Math.max(free + NAME_DISTANCE, end.getValue());
            double last = line.figures().get(lastStep(line));
            body.append("<text x='%d' y='%d' fill='%s'>%s</text>\n"
                    .formatted(
                            x(lastStep(line)) + 10,
                            (int) free + 4,
                            BenchPlots.colour(line.contestant(), contestants),
                            BenchPlots.escaped(line.name() + ": " + ResultTable.number(last))));
        }
    }

    private String lastStep(Line line) {
        return steps.stream()
                .filter(line.figures()::containsKey)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private int x(String step) {
        int width = BenchPlots.WIDTH - LEFT - NAMES - 40;
        return LEFT + 20 + steps.indexOf(step) * width / Math.max(1, steps.size() - 1);
    }

    /** Heights of figures. A logarithmic axis begins at the power of ten below the least figure, a linear axis at zero. */
    private record Axis(Scale scale, double least, double most, List<Double> ticks) {

        static Axis of(GrowthPlot plot) {
            double[] all = plot.lines().stream()
                    .flatMap(line -> line.figures().values().stream())
                    .mapToDouble(Double::doubleValue)
                    .filter(figure -> figure > 0)
                    .sorted()
                    .toArray();
            double lowest = all.length == 0 ? 1 : all[0];
            double highest = all.length == 0 ? 1 : all[all.length - 1];
            List<Double> ticks = new ArrayList<>();
            if (plot.scale() == Scale.LINEAR) {
                double step = roundStep(highest / TICKS);
                for (int i = 0; (i - 1) * step < highest; i++) {
                    ticks.add(i * step);
                }
            } else {
                int power = (int) Math.floor(Math.log10(lowest));
                do {
                    ticks.add(Math.pow(10, power));
                } while (Math.pow(10, power++) < highest);
            }
            return new Axis(plot.scale(), ticks.get(0), ticks.get(ticks.size() - 1), ticks);
        }

        /** Returns the next greater of 1, 2 and 5 times a power of ten. */
        private static double roundStep(double wanted) {
            double power = Math.pow(10, Math.floor(Math.log10(wanted)));
            for (double factor : new double[] {1, 2, 5}) {
                if (factor * power >= wanted) {
                    return factor * power;
                }
            }
            return 10 * power;
        }

        double y(double figure) {
            double share = scale == Scale.LINEAR
                    ? (figure - least) / (most - least)
                    : Math.log10(Math.max(least, figure) / least) / Math.log10(most / least);
            return TOP + HEIGHT * (1 - share);
        }
    }
}

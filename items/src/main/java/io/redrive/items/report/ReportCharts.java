package io.redrive.items.report;

import io.redrive.core.DurationText;
import io.redrive.items.store.Balance;
import io.redrive.items.store.StageCounts;
import io.redrive.items.store.Throughput;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/**
 * Renders the plots of a report as inline SVG. Colours are CSS variables of the page, which follow light or dark mode. The figures
 * of the guide are standalone files with axes, lines and a style of their own, and have their own writer in {@code examples}: a
 * common one would be public API here that no user of a run needs.
 */
final class ReportCharts {

    private static final int WIDTH = 720;
    private static final int BAR = 22;
    private static final int HEIGHT = 160;
    private static final int GAP = 10;
    private static final int LABEL = 130;
    private static final int VALUE = 130;
    /** Few intervals are columns beside each other, not blocks that fill the plot. */
    private static final int WIDEST_COLUMN = 48;

    /** The maximum number of bars for numbers of retries; the rest shares one more bar. */
    private static final int MOST_BARS = 12;

    private ReportCharts() {}

    /** Renders one bar, divided by the ends of the samples. */
    static Plot balance(Balance balance) {
        List<Part> parts = List.of(
                new Part("succeeded", balance.succeeded(), "good"),
                new Part("skipped", balance.skipped(), "skip"),
                new Part("dead", balance.dead(), "bad"),
                new Part("not started", balance.notStarted(), "open"));
        StringBuilder bar = new StringBuilder();
        bar(bar, parts, balance.in(), 0, 0, WIDTH);
        return new Plot("Balance", svg(balance.toString(), BAR, bar.toString()), keys(parts), "");
    }

    /** Renders a bar for each number of retries. */
    static Plot retries(SortedMap<Integer, Long> retries) {
        long most = retries.values().stream().mapToLong(Long::longValue).max().orElse(1);
        long all = retries.values().stream().mapToLong(Long::longValue).sum();
        StringBuilder bars = new StringBuilder();
        int y = 0;
        long rest = 0;
        for (Map.Entry<Integer, Long> entry : retries.entrySet()) {
            if (y >= MOST_BARS * (BAR + GAP)) {
                rest += entry.getValue();
                continue;
            }
            String label = entry.getKey() + (entry.getKey() == 1 ? " retry" : " retries");
            row(bars, label, new Part(label, entry.getValue(), "retry"), most, all, y);
            y += BAR + GAP;
        }
        if (rest > 0) {
            row(bars, "more", new Part("more", rest, "retry"), most, all, y);
            y += BAR + GAP;
        }
        String svg = svg("Samples by retries needed", y - GAP, bars.toString());
        return new Plot("Retries a sample needed", svg, List.of(), "");
    }

    /** Renders a bar for each stage, divided by the results of the attempts. */
    static Plot stages(List<StageCounts> stages) {
        StringBuilder bars = new StringBuilder();
        int y = 0;
        for (StageCounts stage : stages) {
            label(bars, stage.stage(), y);
            bar(bars, parts(stage), stage.attempts(), LABEL, y, WIDTH - LABEL - VALUE);
            value(bars, Figures.percent(stage.succeeded() + stage.skipped(), stage.attempts()), y);
            y += BAR + GAP;
        }
        String svg = svg("Attempts at each stage by their end", y - GAP, bars.toString());
        return new Plot("Stages", svg, keys(parts(stages.get(0))), "");
    }

    /** Renders a column for each interval, including empty intervals; the interval with the most samples has full height. */
    static Plot pace(Duration length, List<Throughput> intervals) {
        Instant first = intervals.get(0).from();
        Instant last = intervals.get(intervals.size() - 1).from();
        long columns = Duration.between(first, last).dividedBy(length) + 1;
        long most = intervals.stream().mapToLong(Throughput::ended).max().orElse(1);
        double width = Math.min(WIDEST_COLUMN, (double) WIDTH / columns);
        StringBuilder bars = new StringBuilder();
        for (Throughput interval : intervals) {
            double x = width * Duration.between(first, interval.from()).dividedBy(length);
            double y = HEIGHT;
            for (Part part : List.of(
                    new Part("dead", interval.dead(), "bad"),
                    new Part("skipped", interval.skipped(), "skip"),
                    new Part("succeeded", interval.succeeded(), "good"))) {
                double height = (double) HEIGHT * part.count() / most;
                y -= height;
                column(bars, part, interval.from(), new Box(x, y, Math.max(1, width - 1), height));
            }
        }
        String title = "From " + Figures.MOMENT.format(first) + " to " + Figures.MOMENT.format(last) + ", at most "
                + Figures.count(most) + " at a time";
        String heading = "Samples that ended, by " + DurationText.format(length);
        return new Plot(heading, svg(title, HEIGHT, bars.toString()), List.of(), title + ".");
    }

    private record Box(double x, double y, double width, double height) {}

    private static void column(StringBuilder out, Part part, Instant from, Box box) {
        if (part.count() > 0) {
            out.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"var(--%s)\">"
                            + "<title>%s: %s %s</title></rect>\n",
                    box.x(),
                    box.y(),
                    box.width(),
                    box.height(),
                    part.colour(),
                    Figures.MOMENT.format(from),
                    Figures.count(part.count()),
                    part.name()));
        }
    }

    private record Part(String name, long count, String colour) {}

    private static List<Part> parts(StageCounts stage) {
        return List.of(
                new Part("success", stage.succeeded(), "good"),
                new Part("skipped", stage.skipped(), "skip"),
                new Part("retrying", stage.retried(), "retry"),
                new Part("failed", stage.failed(), "bad"));
    }

    private static void row(StringBuilder out, String label, Part part, long most, long all, int y) {
        label(out, label, y);
        double width = Math.max(1, (double) (WIDTH - LABEL - VALUE) * part.count() / most);
        rectangle(out, part, LABEL, y, width);
        value(out, Figures.count(part.count()) + " · " + Figures.percent(part.count(), all), y);
    }

    private static void bar(StringBuilder out, List<Part> parts, long whole, double x, int y, double width) {
        double at = x;
        for (Part part : parts) {
            if (part.count() > 0) {
                double share = width * part.count() / Math.max(1, whole);
                rectangle(out, part, at, y, share);
                at += share;
            }
        }
        if (whole == 0) {
            rectangle(out, new Part("none", 0, "line"), x, y, width);
        }
    }

    private static void rectangle(StringBuilder out, Part part, double x, int y, double width) {
        out.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"var(--%s)\"><title>%s: %s</title></rect>\n",
                x,
                y,
                width,
                BAR,
                part.colour(),
                HtmlText.escaped(part.name()),
                Figures.count(part.count())));
    }

    private static void label(StringBuilder out, String text, int y) {
        String shown = text.length() <= 18 ? text : text.substring(0, 17) + "…";
        out.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
                LABEL - 8,
                y + 16,
                HtmlText.escaped(shown)));
    }

    private static void value(StringBuilder out, String text, int y) {
        out.append(String.format(
                Locale.ROOT,
                "<text class=\"faint\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
                WIDTH,
                y + 16,
                HtmlText.escaped(text)));
    }

    private static List<Plot.Key> keys(List<Part> parts) {
        return parts.stream()
                .map(part -> new Plot.Key(part.name(), part.colour()))
                .toList();
    }

    private static String svg(String title, int height, String content) {
        return "<svg viewBox=\"0 0 " + WIDTH + " " + height + "\" role=\"img\" aria-label=\"" + HtmlText.escaped(title)
                + "\">\n" + content + "</svg>\n";
    }
}

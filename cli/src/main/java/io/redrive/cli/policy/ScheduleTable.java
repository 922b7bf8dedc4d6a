package io.redrive.cli.policy;

import io.redrive.core.DurationText;
import io.redrive.core.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;

/**
 * Draws a schedule as a table with a bar for each wait: solid up to the least wait, shaded up to the most. A long schedule is cut
 * in the middle.
 */
public record ScheduleTable(Schedule schedule, List<String> warnings) {

    private static final int WIDTH = 40;
    private static final int FIRST = 20;
    private static final int LAST = 3;

    /** Above this ratio of the longest to the shortest wait bars are logarithmic: short bars would look the same otherwise. */
    private static final double MOST_LINEAR_RATIO = 100;

    /** Returns the policy, the table, the worst case and the warnings, as lines. */
    public List<String> lines(Ansi ansi) {
        List<String> lines = new ArrayList<>();
        lines.add(style(ansi, "bold", schedule.policy()));
        if (!schedule.rows().isEmpty()) {
            lines.add("");
            table(ansi, lines);
        }
        lines.add("");
        lines.add("worst case: "
                + schedule.worstCase()
                        .map(total -> DurationText.format(total) + " of waiting")
                        .orElse("unlimited"));
        warnings.forEach(warning -> lines.add(style(ansi, "yellow", "warning: " + warning)));
        return lines;
    }

    private void table(Ansi ansi, List<String> lines) {
        Scale scale = Scale.of(schedule.rows());
        List<String[]> cells = new ArrayList<>();
        cells.add(new String[] {"attempt", "base", "least", "most", "cumulative", scale.title()});
        List<Schedule.Row> rows = schedule.rows();
        boolean cut = rows.size() > FIRST + LAST + 1;
        for (int i = 0; i < rows.size(); i++) {
            if (cut && i == FIRST) {
                cells.add(new String[] {"⋮", "", "", "", "", (rows.size() - FIRST - LAST) + " more"});
            }
            if (!cut || i < FIRST || i >= rows.size() - LAST) {
                cells.add(row(rows.get(i), scale));
            }
        }
        int[] widths = new int[5];
        cells.forEach(cell -> {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], cell[column].length());
            }
        });
        for (int i = 0; i < cells.size(); i++) {
            String line = line(cells.get(i), widths);
            lines.add(i == 0 ? style(ansi, "faint", line) : line);
        }
    }

    private static String[] row(Schedule.Row row, Scale scale) {
        return Stream.of(
                        Integer.toString(row.attempt()),
                        DurationText.format(row.base()),
                        DurationText.format(row.least()),
                        DurationText.format(row.most()),
                        DurationText.format(row.cumulative()),
                        scale.bar(row))
                .toArray(String[]::new);
    }

    private static String line(String[] cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            line.append(String.format(Locale.ROOT, "%" + widths[column] + "s  ", cells[column]));
        }
        return line.append(cells[widths.length]).toString().stripTrailing();
    }

    private static String style(Ansi ansi, String style, String text) {
        return ansi.enabled() ? ansi.string("@|" + style + " " + text.replace("|@", "| @") + "|@") : text;
    }

    /** Turns a wait into the length of a bar; waits of zero do not count as the shortest. */
    private record Scale(double longest, double shortest, boolean logarithmic) {

        static Scale of(List<Schedule.Row> rows) {
            double longest =
                    rows.stream().mapToDouble(row -> seconds(row.most())).max().orElse(0);
            double shortest = rows.stream()
                    .mapToDouble(row -> seconds(row.most()))
                    .filter(wait -> wait > 0)
                    .min()
                    .orElse(longest);
            return new Scale(longest, shortest, longest > shortest * MOST_LINEAR_RATIO);
        }

        String title() {
            return logarithmic ? "wait (logarithmic)" : "wait";
        }

        String bar(Schedule.Row row) {
            int solid = length(row.least());
            int all = row.most().isZero() ? 0 : Math.max(1, length(row.most()));
            return "█".repeat(Math.min(solid, all)) + "░".repeat(Math.max(0, all - solid));
        }

        private int length(Duration wait) {
            double share = logarithmic
                    ? Math.log1p(seconds(wait) / shortest) / Math.log1p(longest / shortest)
                    : seconds(wait) / longest;
            return longest == 0 ? 0 : (int) Math.round(share * WIDTH);
        }

        private static double seconds(Duration wait) {
            return wait.toNanos() / 1e9;
        }
    }
}

package io.redrive.console;

import java.util.List;

/** Draws numbers as the points of a line in an SVG of a given size. */
final class Spark {

    private static final long BAR_HEIGHT = 20;

    private Spark() {}

    /** Returns the points of a line through the values, from the left to the right; zero is at the bottom. */
    static String points(List<Long> values, int width, int height) {
        long most = Math.max(1, values.stream().mapToLong(Long::longValue).max().orElse(0));
        int gaps = Math.max(1, values.size() - 1);
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            double x = (double) i * width / gaps;
            double y = 1 + (height - 2) * (1 - (double) values.get(i) / most);
            append(points.append(points.isEmpty() ? "" : " "), x);
            append(points.append(','), y);
        }
        return points.toString();
    }

    /** Writes a number that is not negative with one decimal; a page has 2,000 points, and String.format took half of its time. */
    private static void append(StringBuilder out, double number) {
        long tenths = Math.round(number * 10);
        out.append(tenths / 10).append('.').append(tenths % 10);
    }

    /** Returns bars side by side, each 5 wide and up to 20 high, as one path; a zero is a line at the bottom. */
    static String bars(List<Long> values) {
        long most = Math.max(1, values.stream().mapToLong(Long::longValue).max().orElse(0));
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            long height = values.get(i) == 0 ? 1 : Math.max(2, BAR_HEIGHT * values.get(i) / most);
            path.append('M').append(6 * i).append(' ').append(BAR_HEIGHT - height);
            path.append("h5v").append(height).append("h-5z");
        }
        return path.toString();
    }

    /** Returns the numbers in words, for people who do not see the line. */
    static String inWords(List<Long> values) {
        long most = values.stream().mapToLong(Long::longValue).max().orElse(0);
        long last = values.isEmpty() ? 0 : values.get(values.size() - 1);
        return "last hour by minute: at most " + Format.number(most) + ", now " + Format.number(last);
    }
}

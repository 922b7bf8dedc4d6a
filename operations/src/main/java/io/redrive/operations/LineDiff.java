package io.redrive.operations;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines by which two texts differ, with a few common lines around each difference: the longest common part between the common
 * beginning and the common end stays.
 */
public final class LineDiff {

    /** The most differing lines of a text; texts with more are shown as wholly replaced. */
    public static final int MAX_COMPARED = 1_000;

    private static final int CONTEXT = 2;

    /** The sign in front of a line: removed, added or common. */
    public enum Sign {
        /** Only in the text before. */
        REMOVED('-'),
        /** Only in the text after. */
        ADDED('+'),
        /** In both texts. */
        COMMON(' '),
        /** Stands for common lines that are not shown. */
        GAP('…');

        private final char mark;

        Sign(char mark) {
            this.mark = mark;
        }

        /** Returns the character in front of the line. */
        public char mark() {
            return mark;
        }
    }

    /** A line of a difference. */
    public record Line(Sign sign, String text) {}

    private LineDiff() {}

    /** Returns the differences; empty when the texts are equal. */
    public static List<Line> of(String before, String after) {
        return before.equals(after)
                ? List.of()
                : shortened(all(before.lines().toList(), after.lines().toList()));
    }

    private static List<Line> all(List<String> before, List<String> after) {
        int start = 0;
        while (start < before.size()
                && start < after.size()
                && before.get(start).equals(after.get(start))) {
            start++;
        }
        int end = 0;
        while (end < before.size() - start
                && end < after.size() - start
                && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
            end++;
        }
        List<Line> lines = new ArrayList<>();
        add(lines, Sign.COMMON, before.subList(0, start));
        middle(lines, before.subList(start, before.size() - end), after.subList(start, after.size() - end));
        add(lines, Sign.COMMON, before.subList(before.size() - end, before.size()));
        return lines;
    }

    private static void middle(List<Line> lines, List<String> before, List<String> after) {
        if (before.size() > MAX_COMPARED || after.size() > MAX_COMPARED) {
            add(lines, Sign.REMOVED, before);
            add(lines, Sign.ADDED, after);
            return;
        }
        int[][] common = common(before, after);
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
                lines.add(new Line(Sign.COMMON, before.get(i++)));
                j++;
            } else if (j == after.size() || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
                lines.add(new Line(Sign.REMOVED, before.get(i++)));
            } else {
                lines.add(new Line(Sign.ADDED, after.get(j++)));
            }
        }
    }

    /** Returns the length of the longest common part of the lines from i and from j on. */
    private static int[][] common(List<String> before, List<String> after) {
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }

    private static void add(List<Line> lines, Sign sign, List<String> texts) {
        texts.forEach(text -> lines.add(new Line(sign, text)));
    }

    /** Replaces common lines far from a difference with a gap. */
    private static List<Line> shortened(List<Line> lines) {
        List<Line> shown = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            boolean near = false;
            for (int k = Math.max(0, i - CONTEXT); k <= Math.min(lines.size() - 1, i + CONTEXT); k++) {
                near |= lines.get(k).sign() != Sign.COMMON;
            }
            if (near) {
                shown.add(lines.get(i));
            } else if (shown.isEmpty() || shown.get(shown.size() - 1).sign() != Sign.GAP) {
                shown.add(new Line(Sign.GAP, ""));
            }
        }
        return shown;
    }
}

package io.redrive.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows in columns, as narrow as the terminal: columns that may be cut give way, the last of them first. */
final class TextTable {

    private static final String GAP = "  ";
    private static final int LEAST = 10;

    private final List<Column> columns;
    private final List<String[]> rows = new ArrayList<>();

    TextTable(Column... columns) {
        this.columns = List.of(columns);
    }

    /** A column: numbers to the right, text to the left, and whether it may be cut when there is no room. */
    record Column(String title, boolean right, boolean elastic) {

        static Column right(String title) {
            return new Column(title, true, false);
        }

        static Column left(String title) {
            return new Column(title, false, false);
        }

        static Column elastic(String title) {
            return new Column(title, false, true);
        }
    }

    void add(Object... cells) {
        String[] row = new String[columns.size()];
        for (int i = 0; i < row.length; i++) {
            row[i] = Printable.line(String.valueOf(cells[i]));
        }
        rows.add(row);
    }

    List<String> lines(int width, Paint paint) {
        int[] widths = widths(width);
        List<String> lines = new ArrayList<>();
        String[] titles = columns.stream().map(Column::title).toArray(String[]::new);
        lines.add(paint.faint(line(titles, widths)));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private int[] widths(int most) {
        int[] widths = new int[columns.size()];
        long total = (long) GAP.length() * (widths.length - 1);
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = columns.get(i).title().length();
            rows.forEach(row -> widths[column] = Math.max(widths[column], row[column].length()));
            total += widths[i];
        }
        for (int i = widths.length - 1; i >= 0 && total > most; i--) {
            if (columns.get(i).elastic()) {
                int cut = (int) Math.min(total - most, Math.max(0, widths[i] - LEAST));
                widths[i] -= cut;
                total -= cut;
            }
        }
        return widths;
    }

    private String line(String[] cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = Printable.cut(cells[i], widths[i]);
            String pad = " ".repeat(widths[i] - cell.length());
            line.append(i == 0 ? "" : GAP);
            line.append(columns.get(i).right() ? pad + cell : cell + pad);
        }
        return line.toString().stripTrailing();
    }
}

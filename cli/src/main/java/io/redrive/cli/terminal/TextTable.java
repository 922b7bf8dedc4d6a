package io.redrive.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * Prints rows in columns, never wider than the terminal. A table that is too wide first loses text in its elastic columns, the
 * last column first, and then whole droppable columns.
 */
public final class TextTable {

    private static final String GAP = "  ";
    /** Width below which an elastic column is not cut. */
    private static final int LEAST_WIDTH = 10;

    private final List<Column> columns;
    private final List<String[]> rows = new ArrayList<>();

    public TextTable(Column... columns) {
        this.columns = List.of(columns);
    }

    /**
     * A column of the table.
     *
     * @param right true for numbers, which are aligned to the right
     * @param elastic true when texts of this column may be cut
     * @param drop 0 for a column that always stays; otherwise the column with the highest number is left out first
     */
    public record Column(String title, boolean right, boolean elastic, int drop) {

        public static Column right(String title) {
            return new Column(title, true, false, 0);
        }

        public static Column left(String title) {
            return new Column(title, false, false, 0);
        }

        public static Column elastic(String title) {
            return new Column(title, false, true, 0);
        }

        /** Returns a droppable copy of this column; columns with a higher rank are left out first. */
        public Column droppable(int rank) {
            return new Column(title, right, elastic, rank);
        }
    }

    /** Adds a row with one cell for each column; each cell is printed on one line. */
    public void add(Object... cells) {
        String[] row = new String[columns.size()];
        for (int i = 0; i < row.length; i++) {
            row[i] = Printable.line(String.valueOf(cells[i]));
        }
        rows.add(row);
    }

    /** Returns the titles and the rows, each line at most {@code width} columns wide. */
    public List<String> lines(int width, Paint paint) {
        int[] widths = widths(width);
        List<String> lines = new ArrayList<>();
        String[] titles = columns.stream().map(Column::title).toArray(String[]::new);
        lines.add(paint.faint(line(titles, widths, width)));
        rows.forEach(row -> lines.add(line(row, widths, width)));
        return lines;
    }

    /** Returns the width of each column; 0 for a column that is left out. */
    private int[] widths(int most) {
        int[] full = new int[columns.size()];
        int highest = 0;
        for (int i = 0; i < full.length; i++) {
            int column = i;
            full[i] = columns.get(i).title().length();
            rows.forEach(row -> full[column] = Math.max(full[column], Printable.width(row[column])));
            highest = Math.max(highest, columns.get(i).drop());
        }
        int[] widths = cut(full, most);
        for (int rank = highest; rank > 0 && total(widths) > most; rank--) {
            for (int i = 0; i < full.length; i++) {
                full[i] = columns.get(i).drop() == rank ? 0 : full[i];
            }
            widths = cut(full, most);
        }
        return widths;
    }

    private int[] cut(int[] full, int most) {
        int[] widths = full.clone();
        long over = total(widths) - most;
        for (int i = widths.length - 1; i >= 0 && over > 0; i--) {
            if (columns.get(i).elastic()) {
                int cut = (int) Math.min(over, Math.max(0, widths[i] - LEAST_WIDTH));
                widths[i] -= cut;
                over -= cut;
            }
        }
        return widths;
    }

    private static long total(int[] widths) {
        long total = -GAP.length();
        for (int width : widths) {
            total += width == 0 ? 0 : width + GAP.length();
        }
        return total;
    }

    private String line(String[] cells, int[] widths, int most) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0) {
                String cell = Printable.cut(cells[i], widths[i]);
                String pad = " ".repeat(Math.max(0, widths[i] - Printable.width(cell)));
                line.append(line.isEmpty() ? "" : GAP);
                line.append(columns.get(i).right() ? pad + cell : cell + pad);
            }
        }
        return Printable.cut(line.toString().stripTrailing(), most);
    }
}

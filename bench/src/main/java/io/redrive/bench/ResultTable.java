package io.redrive.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/** Results as a Markdown table, which reads well in a terminal and can be pasted into a document. */
final class ResultTable {

    private static final String ABSENT = "-";

    private ResultTable() {}

    static String of(List<BenchResult> results) {
        Set<String> peers = new LinkedHashSet<>();
        results.forEach(result -> peers.addAll(result.peers().keySet()));
        boolean spread = results.stream().anyMatch(result -> result.spread() != null);
        List<List<String>> rows = new ArrayList<>();
        rows.add(header(peers, spread));
        results.forEach(result -> rows.add(row(result, peers, spread)));
        return layout(rows);
    }

    private static List<String> header(Set<String> peers, boolean spread) {
        List<String> cells = new ArrayList<>(List.of("case", "metric", "ours"));
        if (spread) {
            cells.add("spread");
        }
        cells.addAll(peers);
        Collections.addAll(cells, "limit", "target", "met");
        return cells;
    }

    private static List<String> row(BenchResult result, Set<String> peers, boolean spread) {
        List<String> cells = new ArrayList<>(List.of(result.caseName(), result.metric(), number(result.ours())));
        if (spread) {
            cells.add(result.spread() == null ? ABSENT : Math.round(100 * result.spread()) + " %");
        }
        peers.forEach(peer -> cells.add(number(result.peers().get(peer))));
        cells.add(number(result.limit()));
        cells.add(result.target() == null ? ABSENT : result.target());
        cells.add(result.met() == null ? ABSENT : result.met() ? "yes" : "NO");
        return cells;
    }

    /** As many digits as a reader can use. */
    static String number(Double value) {
        if (value == null) {
            return ABSENT;
        }
        if (value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        double size = Math.abs(value);
        String format = size >= 1000 ? "%,.0f" : size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }

    private static String layout(List<List<String>> rows) {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            text.append(line(rows.get(i), widths));
            if (i == 0) {
                List<String> rule = IntStream.of(widths).mapToObj("-"::repeat).toList();
                text.append(line(rule, widths));
            }
        }
        return text.toString();
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder text = new StringBuilder("|");
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            text.append(' ')
                    .append(cell)
                    .append(" ".repeat(widths[column] - cell.length()))
                    .append(" |");
        }
        return text.append('\n').toString();
    }
}

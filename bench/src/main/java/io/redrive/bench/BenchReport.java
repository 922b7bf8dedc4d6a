package io.redrive.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/** {@code redrive bench report}: turns the results of all suites into {@code docs/benchmarks.md} with plots beside it. */
final class BenchReport {

    private static final String HEAD = """
            # Benchmarks

            Written by `./redrive bench report` from the results of the suites; a change by hand is lost at the next run.
            [bench/README.md](../bench/README.md) says what each case measures, against which peers, and what the limit is.

            To repeat: `./redrive bench SUITE` for each suite below, then `./redrive bench report`. `--case NAME,…` measures some
            cases again, in suites that have this option. *Redrive* runs the standard profile, untouched, unless a case ends with
            `-tuned`. Figures are medians of rounds in which all contestants take turns; the spread is the distance of the
            greatest round from the least, as a share of the median. Ratios of one case count, figures of different machines or
            days do not compare. A *quick* run is short and rough; *busy* means that other work took a part of the machine.

            """;

    private final List<Suite> suites;
    private final Path results;
    private final Path page;
    private final Path plots;

    /**
     * Reads {@code results}, writes below {@code docs}.
     *
     * @param suites all suites, in the order of the page; a suite without results is named as not measured
     * @param results the folder with a file for each suite
     * @param docs the folder of the documentation
     */
    BenchReport(List<Suite> suites, Path results, Path docs) {
        this.suites = suites;
        this.results = results;
        page = docs.resolve("benchmarks.md");
        plots = docs.resolve("benchmarks");
    }

    /** Writes the page and returns its path. */
    Path write() throws IOException {
        Map<String, List<ReportLine>> measured = inOrder(read());
        if (measured.isEmpty()) {
            throw new IllegalStateException(
                    results + " has no results; run a suite first, as in ./redrive bench events --quick");
        }
        Files.createDirectories(plots);
        StringBuilder text = new StringBuilder(HEAD);
        text.append(machines(measured)).append(unmeasured(measured)).append(losses(measured));
        for (Map.Entry<String, List<ReportLine>> suite : measured.entrySet()) {
            text.append(section(suite.getKey(), suite.getValue()));
        }
        return Files.writeString(page, text.toString().stripTrailing() + "\n");
    }

    private Map<String, List<ReportLine>> read() throws IOException {
        Map<String, List<ReportLine>> found = new TreeMap<>();
        if (!Files.isDirectory(results)) {
            return found;
        }
        try (Stream<Path> files = Files.list(results)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList()) {
                for (String line : Files.readAllLines(file)) {
                    if (!line.isBlank()) {
                        ReportLine read = readLine(file, line);
                        found.computeIfAbsent(read.suite(), suite -> new ArrayList<>())
                                .add(read);
                    }
                }
            }
        }
        return found;
    }

    private static ReportLine readLine(Path file, String line) {
        try {
            return ReportLine.read(line);
        } catch (IllegalArgumentException | JacksonException e) {
            throw new IllegalStateException(
                    file + " has a line that is no result; measure its suite again (" + e.getMessage() + ")", e);
        }
    }

    /** Returns the results in the order of the suites; results of unknown suites follow. */
    private Map<String, List<ReportLine>> inOrder(Map<String, List<ReportLine>> found) {
        Map<String, List<ReportLine>> ordered = new LinkedHashMap<>();
        for (Suite suite : suites) {
            if (found.containsKey(suite.name())) {
                ordered.put(suite.name(), found.get(suite.name()));
            }
        }
        found.forEach(ordered::putIfAbsent);
        return ordered;
    }

    private String unmeasured(Map<String, List<ReportLine>> measured) {
        String names = suites.stream()
                .map(Suite::name)
                .filter(name -> !measured.containsKey(name))
                .map(name -> "`" + name + "`")
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : "Without results on this page: " + names + ".\n\n";
    }

    private static String machines(Map<String, List<ReportLine>> suites) {
        Map<String, String> rows = new LinkedHashMap<>();
        suites.values()
                .forEach(lines -> lines.stream()
                        .collect(Collectors.groupingBy(
                                BenchReport::row,
                                LinkedHashMap::new,
                                Collectors.mapping(ReportLine::caseName, Collectors.toList())))
                        .forEach((row, cases) ->
                                rows.put(row, cases.stream().distinct().collect(Collectors.joining(", ")))));
        StringBuilder text = new StringBuilder("## The machine\n\n");
        text.append("| suite | measured | machine | load before | run | cases |\n|---|---|---|---|---|---|\n");
        rows.forEach((row, cases) -> text.append(row).append(' ').append(cases).append(" |\n"));
        return text.append('\n').toString();
    }

    private static String row(ReportLine line) {
        String load = line.load() < 0 ? "unknown" : ResultTable.number(line.load());
        List<String> cells = List.of(line.suite(), orUnknown(line.at()), orUnknown(line.machine()), load, run(line));
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String run(ReportLine line) {
        return (line.quick() ? "quick: short and rough" : "full")
                + (line.busy() ? "; **the machine was busy with other work**: rates are too low, times too long" : "");
    }

    /** Returns the mark of a figure that does not come from a full run on a quiet machine. */
    private static String mark(ReportLine line) {
        return (line.quick() ? "quick" : "full") + (line.busy() ? ", **busy**" : "");
    }

    private static String orUnknown(String text) {
        return text.isEmpty() ? "unknown" : text;
    }

    private static String losses(Map<String, List<ReportLine>> suites) {
        StringBuilder text = new StringBuilder("## Where Redrive loses\n\n");
        List<ReportLine> all = suites.values().stream().flatMap(List::stream).toList();
        List<ReportLine> missed = all.stream().filter(ReportLine::missed).toList();
        text.append("| suite | targets met | missed |\n|---|---|---|\n");
        suites.forEach((suite, lines) -> text.append("| [%s](#%s) | %s | %s |\n"
                .formatted(suite, suite, metOf(lines), missedNames(lines).isEmpty() ? "–" : missedNames(lines))));
        text.append(missed.isEmpty() ? "\nNo measured case misses its target.\n" : "\nMissed targets:\n\n");
        missed.forEach(line -> text.append("- `%s %s`: %s %s, the target is %s (%s run)\n"
                .formatted(
                        line.suite(),
                        line.caseName(),
                        ResultTable.number(line.ours()),
                        line.metric(),
                        line.target(),
                        mark(line))));
        text.append("\nCases in which a peer or the bare code is ahead:\n\n");
        all.stream()
                .filter(line -> !line.ahead().isEmpty())
                .forEach(line -> text.append("- `%s %s` (%s): %s\n"
                        .formatted(
                                line.suite(),
                                line.caseName(),
                                line.metric(),
                                line.ahead().entrySet().stream()
                                        .map(each -> each.getKey() + " " + ResultTable.number(each.getValue())
                                                + " against " + ResultTable.number(line.ours()))
                                        .collect(Collectors.joining(", ")))));
        return text.append('\n').toString();
    }

    private static String metOf(List<ReportLine> lines) {
        long targets = lines.stream().filter(line -> !line.target().isEmpty()).count();
        long missed = lines.stream().filter(ReportLine::missed).count();
        return targets - missed + " of " + targets;
    }

    private static String missedNames(List<ReportLine> lines) {
        return lines.stream()
                .filter(ReportLine::missed)
                .map(ReportLine::caseName)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private String section(String suite, List<ReportLine> lines) throws IOException {
        StringBuilder text = new StringBuilder("## " + suite + "\n\n");
        suites.stream()
                .filter(known -> known.name().equals(suite))
                .forEach(known -> text.append("`./redrive bench %s`: %s. Targets met: %s.\n\n"
                        .formatted(suite, known.about(), metOf(lines))));
        List<ReportLine> compared =
                lines.stream().filter(line -> line.contestants().size() > 1).toList();
        if (!compared.isEmpty()) {
            text.append(plot(suite, "Redrive beside its peers and the limit", BenchPlots.bars(suite, compared)));
        }
        for (Map.Entry<String, GrowthPlot> growth :
                ReportGrowth.plots(suite, lines).entrySet()) {
            GrowthPlot plot = growth.getValue();
            text.append(plot(suite + "-" + growth.getKey(), plot.title(), plot.svg()));
        }
        text.append(table(lines));
        return text.append('\n').toString();
    }

    private String plot(String name, String about, String svg) throws IOException {
        Files.writeString(plots.resolve(name + ".svg"), svg);
        return "![" + about + "](benchmarks/" + name + ".svg)\n\n";
    }

    private static String table(List<ReportLine> lines) {
        StringBuilder text = new StringBuilder("| case | metric | Redrive | spread | others | target | met | run |\n")
                .append("|---|---|---|---|---|---|---|---|\n");
        for (ReportLine line : lines) {
            String others = line.contestants().entrySet().stream()
                    .filter(each -> !each.getKey().equals(ReportLine.OURS))
                    .map(each -> each.getKey() + " " + ResultTable.number(each.getValue()))
                    .collect(Collectors.joining(", "));
            text.append("| %s | %s | %s | %s | %s | %s | %s | %s |\n"
                    .formatted(
                            line.caseName(),
                            line.metric(),
                            ResultTable.number(line.ours()),
                            line.spread() < 0 ? "–" : Math.round(100 * line.spread()) + " %",
                            others.isEmpty() ? "–" : others,
                            line.target().isEmpty() ? "–" : line.target(),
                            line.target().isEmpty() ? "–" : line.missed() ? "**no**" : "yes",
                            mark(line)));
        }
        return text.toString();
    }
}

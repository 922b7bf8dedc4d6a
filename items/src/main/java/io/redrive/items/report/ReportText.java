package io.redrive.items.report;

import io.redrive.core.DurationText;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.Price;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageCounts;
import io.redrive.items.store.StageSpending;
import io.redrive.items.store.Throughput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Renders a report for a terminal, at most 100 characters wide unless names are long. */
final class ReportText {

    private static final int BAR = 40;
    private static final int MESSAGE = 60;

    private final RunReport report;
    private final StringBuilder out = new StringBuilder();

    ReportText(RunReport report) {
        this.report = report;
    }

    String render() {
        RunRecord run = report.run();
        line("Run " + run.id() + " of pipeline " + run.pipeline() + ": "
                + run.status().code());
        line("Began " + Figures.MOMENT.format(run.created()) + ", took " + Figures.time(run.worked()));
        report.statusBasis().ifPresent(this::line);
        balance(run.balance());
        if (report.isAudited()) {
            retries();
            errors();
            stages();
            pace();
        } else {
            line("");
            line("The run has no audit trail: retries, errors and stages are unknown.");
        }
        spending();
        dead();
        return out.toString();
    }

    private void balance(Balance balance) {
        List<String[]> rows = new ArrayList<>();
        rows.add(row("in", balance.in(), balance.in()));
        rows.add(row("succeeded", balance.succeeded(), balance.in()));
        rows.add(row("skipped", balance.skipped(), balance.in()));
        rows.add(row("dead", balance.dead(), balance.in()));
        rows.add(row("not started", balance.notStarted(), balance.in()));
        table("Balance", new String[] {"", "samples", "share"}, rows);
        if (balance.begun() > 0) {
            line("  " + Figures.count(balance.begun())
                    + " of those not started were taken from the source and are kept.");
        }
    }

    private static String[] row(String name, long count, long in) {
        return new String[] {name, Figures.count(count), Figures.percent(count, in)};
    }

    private void retries() {
        long most = report.retries().values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(1);
        List<String[]> rows = new ArrayList<>();
        for (Map.Entry<Integer, Long> bar : report.retries().entrySet()) {
            int length = (int) Math.max(1, Math.round((double) BAR * bar.getValue() / most));
            rows.add(new String[] {bar.getKey().toString(), Figures.count(bar.getValue()), "█".repeat(length)});
        }
        table("Retries a sample needed", new String[] {"retries", "samples", ""}, rows);
    }

    private void errors() {
        if (report.errors().isEmpty()) {
            line("");
            line("No attempt failed.");
            return;
        }
        List<String[]> rows = new ArrayList<>();
        for (ErrorCount error : report.errors()) {
            rows.add(new String[] {
                error.stage(),
                oneLine(error.errorType()),
                Figures.count(error.attempts()),
                Figures.count(error.dead()),
                oneLine(error.message())
            });
        }
        table("Most common errors", new String[] {"stage", "error", "attempts", "dead", "such as"}, rows);
    }

    private void stages() {
        List<String[]> rows = new ArrayList<>();
        for (StageCounts stage : report.stages()) {
            rows.add(new String[] {
                stage.stage(),
                Figures.count(stage.attempts()),
                Figures.count(stage.succeeded()),
                Figures.count(stage.retried()),
                Figures.count(stage.failed()),
                Figures.count(stage.skipped()),
                Figures.percent(stage.succeeded() + stage.skipped(), stage.attempts()),
                Figures.time(stage.meanTime()),
                Figures.time(stage.percentiles().p50()),
                Figures.time(stage.percentiles().p95()),
                Figures.time(stage.percentiles().p99())
            });
        }
        table(
                "Stages",
                new String[] {
                    "stage",
                    "attempts",
                    "success",
                    "retrying",
                    "failed",
                    "skipped",
                    "reliability",
                    "mean time",
                    "p50",
                    "p95",
                    "p99"
                },
                rows);
    }

    private void spending() {
        if (report.spending().isEmpty()) {
            return;
        }
        List<String[]> rows = new ArrayList<>();
        for (StageSpending cost : report.spending()) {
            String unit = oneLine(cost.unit());
            rows.add(new String[] {
                cost.stage(),
                Figures.cost(cost.reported(), unit),
                cost.price().map(price -> Figures.money(cost.reported(), price)).orElse("–"),
                Figures.cost(cost.estimated(), unit),
                cost.price()
                        .map(price -> Figures.money(cost.estimated(), price))
                        .orElse("–"),
                cost.price().map(Price::toString).orElse("–")
            });
        }
        table("Cost", new String[] {"stage", "reported", "money", "only estimated", "money", "price"}, rows);
    }

    private void pace() {
        List<Throughput> intervals = report.pace().intervals();
        if (intervals.isEmpty()) {
            return;
        }
        long most = intervals.stream().mapToLong(Throughput::ended).max().orElse(1);
        List<String[]> rows = new ArrayList<>();
        for (Throughput interval : intervals) {
            rows.add(new String[] {
                Figures.MOMENT.format(interval.from()),
                Figures.count(interval.ended()),
                Figures.count(interval.dead()),
                "█".repeat((int) Math.max(1, Math.round((double) BAR * interval.ended() / most)))
            });
        }
        table(
                "Samples that ended, by " + DurationText.format(report.pace().interval()),
                new String[] {"from", "ended", "dead", ""},
                rows);
    }

    private void dead() {
        if (report.dead().isEmpty()) {
            return;
        }
        List<String[]> rows = new ArrayList<>();
        for (DeadSample dead : report.dead()) {
            SampleRecord.Death death = dead.death();
            rows.add(new String[] {
                "#" + dead.sample().ordinal(),
                oneLine(dead.sample().id()),
                dead.stage(),
                death.reason().code(),
                oneLine(death.errorType())
            });
        }
        long all = report.run().balance().dead();
        String title = all > rows.size()
                ? "Dead samples, the last " + rows.size() + " of " + Figures.count(all)
                : "Dead samples, the last first";
        table(title, new String[] {"", "sample", "stage", "reason", "error"}, rows);
    }

    /** Returns text of samples and failures without line breaks and control characters, which could garble the terminal. */
    private static String oneLine(String text) {
        String clean = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}]+", " ")
                .strip();
        return clean.length() <= MESSAGE ? clean : clean.substring(0, MESSAGE - 1) + "…";
    }

    /**
     * Renders columns as wide as their widest cell; numeric columns are aligned to the right. The tables of the command line are
     * cut to the width of a terminal, which a report in a file does not have.
     */
    private void table(String title, String[] header, List<String[]> rows) {
        line("");
        line(title);
        int[] widths = new int[header.length];
        for (int column = 0; column < header.length; column++) {
            widths[column] = header[column].length();
            for (String[] row : rows) {
                widths[column] = Math.max(widths[column], row[column].length());
            }
        }
        tableLine(header, widths, rows);
        rows.forEach(row -> tableLine(row, widths, rows));
    }

    private void tableLine(String[] cells, int[] widths, List<String[]> rows) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.length; column++) {
            String padding = " ".repeat(widths[column] - cells[column].length());
            line.append("  ").append(isNumeric(rows, column) ? padding + cells[column] : cells[column] + padding);
        }
        line(line.toString().stripTrailing());
    }

    private static boolean isNumeric(List<String[]> rows, int column) {
        return !rows.isEmpty() && rows.stream().allMatch(row -> row[column].matches("[<>]?[0-9–].*"));
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}

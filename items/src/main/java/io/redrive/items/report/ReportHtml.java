package io.redrive.items.report;

import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.Price;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageCounts;
import io.redrive.items.store.StageSpending;

/** Renders a report as one HTML page without scripts or external files, in light and dark colours. */
final class ReportHtml {

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>Run %1$s</title>
            <style>
            :root { --back: #ffffff; --text: #1d2330; --faint: #5b6472; --line: #d9dee6; --panel: #f5f7fa;
              --good: #1f7a4d; --skip: #6b7a90; --bad: #b3261e; --open: #b26a00; --retry: #2f6fb3; }
            @media (prefers-color-scheme: dark) {
              :root { --back: #14181f; --text: #e6eaf0; --faint: #9aa5b4; --line: #303846; --panel: #1b212b;
                --good: #4cc38a; --skip: #93a1b5; --bad: #ff7a70; --open: #f0b252; --retry: #6cb0f5; } }
            * { box-sizing: border-box; }
            body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 60rem; background: var(--back);
              color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
            h1 { font-size: 1.5rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
            h2 { font-size: 1.1rem; margin: 2.25rem 0 .75rem; }
            p { margin: .25rem 0; color: var(--faint); }
            .status { display: inline-block; padding: .1rem .6rem; border: 1px solid currentColor; border-radius: 1rem;
              font-size: .9rem; font-weight: 600; vertical-align: middle; }
            .good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
            .scroll { overflow-x: auto; }
            table { border-collapse: collapse; width: 100%%; font-variant-numeric: tabular-nums; }
            th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
            th { color: var(--faint); font-weight: 600; font-size: .85rem; white-space: nowrap; }
            .number { text-align: right; white-space: nowrap; }
            td.message { overflow-wrap: anywhere; min-width: 14rem; }
            figure { margin: 0; padding: 1rem; background: var(--panel); border-radius: .5rem; overflow-x: auto; }
            svg { display: block; width: 100%%; height: auto; min-width: 26rem; }
            svg text { fill: var(--text); font: 13px system-ui, sans-serif; }
            svg .faint { fill: var(--faint); }
            .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: .75rem; font-size: .9rem; }
            @media (max-width: 40rem) {
              svg { overflow: visible; } svg text { font-size: 16px; }
              tr:has(> .message) { display: grid; grid-template-columns: 6.5rem 1fr 5.5rem 3rem; border-bottom: 1px solid var(--line); }
              tr:has(> .message) > * { border: 0; } td.message { grid-column: 1 / -1; padding-top: 0; } th.message { display: none; } }
            .legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; border-radius: .15rem; }
            </style>
            </head>
            <body>
            <h1>%1$s <span class="status %2$s">%3$s</span></h1>
            <p>Pipeline %4$s. Began %5$s, took %6$s. %8$s</p>
            %7$s</body>
            </html>
            """;

    private final RunReport report;

    ReportHtml(RunReport report) {
        this.report = report;
    }

    String render() {
        RunRecord run = report.run();
        String body = balance(run.balance())
                + (report.isAudited()
                        ? retries() + errors() + stages() + pace()
                        : "<p>The run has no audit trail: retries, errors and stages are unknown.</p>\n")
                + spending()
                + dead();
        return PAGE.formatted(
                HtmlText.escaped(run.id()),
                tone(run.status()),
                run.status().code(),
                HtmlText.escaped(run.pipeline()),
                Figures.MOMENT.format(run.created()),
                Figures.time(run.worked()),
                body,
                HtmlText.escaped(report.statusBasis().orElse("")));
    }

    private static String tone(RunStatus status) {
        return switch (status) {
            case COMPLETED -> "good";
            case FAILED, BUDGET_EXCEEDED -> "bad";
            case RUNNING, INTERRUPTED, STOPPED, CANCELLED, PARTIAL_SUCCESS -> "open";
        };
    }

    private String balance(Balance balance) {
        HtmlTable table = new HtmlTable().header("", "#samples", "#share");
        table.row("<strong>in</strong>", Figures.count(balance.in()), "");
        table.row("succeeded", Figures.count(balance.succeeded()), Figures.percent(balance.succeeded(), balance.in()));
        table.row("skipped", Figures.count(balance.skipped()), Figures.percent(balance.skipped(), balance.in()));
        table.row("dead", Figures.count(balance.dead()), Figures.percent(balance.dead(), balance.in()));
        table.row(
                "not started",
                Figures.count(balance.notStarted()),
                Figures.percent(balance.notStarted(), balance.in()));
        Plot plot = ReportCharts.balance(balance);
        return section(plot.title(), plot.figure() + table.render());
    }

    private String retries() {
        if (report.retries().isEmpty()) {
            return section("Retries a sample needed", "<p>No sample has ended yet.</p>\n");
        }
        Plot plot = ReportCharts.retries(report.retries());
        return section(plot.title(), plot.figure());
    }

    private String errors() {
        if (report.errors().isEmpty()) {
            return section("Most common errors", "<p>No attempt failed.</p>\n");
        }
        HtmlTable table = new HtmlTable().header("stage", "error", "#attempts", "#dead", "such as");
        for (ErrorCount error : report.errors()) {
            table.row(
                    HtmlText.escaped(error.stage()),
                    "<code>" + HtmlText.escaped(error.errorType()) + "</code>",
                    Figures.count(error.attempts()),
                    Figures.count(error.dead()),
                    HtmlText.escaped(error.message()));
        }
        return section("Most common errors", table.render());
    }

    private String stages() {
        HtmlTable table = new HtmlTable()
                .header(
                        "stage",
                        "#attempts",
                        "#success",
                        "#retrying",
                        "#failed",
                        "#skipped",
                        "#reliability",
                        "#mean time",
                        "#p50",
                        "#p95",
                        "#p99");
        for (StageCounts stage : report.stages()) {
            table.row(
                    HtmlText.escaped(stage.stage()),
                    Figures.count(stage.attempts()),
                    Figures.count(stage.succeeded()),
                    Figures.count(stage.retried()),
                    Figures.count(stage.failed()),
                    Figures.count(stage.skipped()),
                    Figures.percent(stage.succeeded() + stage.skipped(), stage.attempts()),
                    Figures.time(stage.meanTime()),
                    Figures.time(stage.percentiles().p50()),
                    Figures.time(stage.percentiles().p95()),
                    Figures.time(stage.percentiles().p99()));
        }
        Plot plot = ReportCharts.stages(report.stages());
        return section(plot.title(), plot.figure() + table.render());
    }

    private String spending() {
        if (report.spending().isEmpty()) {
            return "";
        }
        HtmlTable table = new HtmlTable().header("stage", "#reported", "#money", "#only estimated", "#money", "#price");
        for (StageSpending cost : report.spending()) {
            String unit = HtmlText.escaped(cost.unit());
            table.row(
                    HtmlText.escaped(cost.stage()),
                    Figures.cost(cost.reported(), unit),
                    cost.price()
                            .map(price -> Figures.money(cost.reported(), price))
                            .orElse("–"),
                    Figures.cost(cost.estimated(), unit),
                    cost.price()
                            .map(price -> Figures.money(cost.estimated(), price))
                            .orElse("–"),
                    cost.price().map(Price::toString).orElse("–"));
        }
        return section("Cost", table.render());
    }

    private String pace() {
        if (report.pace().intervals().isEmpty()) {
            return "";
        }
        Plot plot = ReportCharts.pace(report.pace().interval(), report.pace().intervals());
        return section(plot.title(), plot.figure());
    }

    private String dead() {
        if (report.dead().isEmpty()) {
            return "";
        }
        HtmlTable table = new HtmlTable().header("sample", "#place", "stage", "reason", "error");
        for (DeadSample dead : report.dead()) {
            SampleRecord.Death death = dead.death();
            table.row(
                    HtmlText.escaped(dead.sample().id()),
                    "#" + dead.sample().ordinal(),
                    HtmlText.escaped(dead.stage()),
                    death.reason().code(),
                    "<code>" + HtmlText.escaped(death.errorType()) + "</code>");
        }
        long all = report.run().balance().dead();
        String count = all > report.dead().size()
                ? "the last " + report.dead().size() + " of " + Figures.count(all)
                : "the last first";
        return section("Dead samples, " + count, table.render());
    }

    private static String section(String title, String content) {
        return "<h2>" + title + "</h2>\n" + content;
    }
}

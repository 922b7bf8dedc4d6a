package io.redrive.items.report;

import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.Price;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageCounts;
import io.redrive.items.store.StageSpending;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Renders a report as one JSON object. Durations are milliseconds, times ISO-8601 in UTC. Quotes texts itself: this module has no
 * dependency besides core, and a report needs no more of JSON than this.
 */
final class ReportJson {

    private final RunReport report;
    private final StringBuilder out = new StringBuilder();
    private boolean first = true;

    ReportJson(RunReport report) {
        this.report = report;
    }

    String render() {
        RunRecord run = report.run();
        out.append('{');
        text("run", run.id());
        text("pipeline", run.pipeline());
        text("status", run.status().code());
        value("status_basis", report.statusBasis().map(ReportJson::quoted).orElse("null"));
        text("created", run.created().toString());
        text("updated", run.updated().toString());
        value("ended", run.endedAt().map(ended -> quoted(ended.toString())).orElse("null"));
        value("worked_ms", run.worked().toMillis());
        value("workers", run.workers());
        object("balance", () -> balance(run.balance()));
        array("retries", report.retries().entrySet().stream(), bar -> {
            value("retries", bar.getKey());
            value("samples", bar.getValue());
        });
        array("errors", report.errors().stream(), error -> {
            text("stage", error.stage());
            text("error_type", error.errorType());
            text("message", error.message());
            value("attempts", error.attempts());
            value("dead", error.dead());
        });
        array("stages", report.stages().stream(), this::stage);
        array("costs", report.spending().stream(), this::cost);
        value("interval_ms", report.pace().interval().toMillis());
        array("throughput", report.pace().intervals().stream(), interval -> {
            text("from", interval.from().toString());
            value("succeeded", interval.succeeded());
            value("skipped", interval.skipped());
            value("dead", interval.dead());
        });
        array("dead", report.dead().stream(), this::dead);
        return out.append("}\n").toString();
    }

    private void balance(Balance balance) {
        value("in", balance.in());
        value("succeeded", balance.succeeded());
        value("skipped", balance.skipped());
        value("dead", balance.dead());
        value("not_started", balance.notStarted());
        value("begun", balance.begun());
    }

    private void stage(StageCounts stage) {
        text("stage", stage.stage());
        value("attempts", stage.attempts());
        value("success", stage.succeeded());
        value("retrying", stage.retried());
        value("failed", stage.failed());
        value("skipped", stage.skipped());
        value("reliability", String.format(Locale.ROOT, "%.6f", stage.reliability()));
        value("mean_ms", millis(stage.meanTime()));
        value("p50_ms", millis(stage.percentiles().p50()));
        value("p95_ms", millis(stage.percentiles().p95()));
        value("p99_ms", millis(stage.percentiles().p99()));
    }

    private void dead(DeadSample dead) {
        SampleRecord.Death death = dead.death();
        text("sample", dead.sample().id());
        value("ordinal", dead.sample().ordinal());
        text("stage", dead.stage());
        text("reason", death.reason().code());
        text("error_type", death.errorType());
        text("message", death.message());
        text("at", death.at().toString());
    }

    private void cost(StageSpending cost) {
        text("stage", cost.stage());
        text("unit", cost.unit());
        value("reported", cost.reported());
        value("estimated", cost.estimated());
        value("price", cost.price().map(price -> quoted(price.toString())).orElse("null"));
        value("currency", cost.price().map(price -> quoted(price.currency())).orElse("null"));
        value("reported_money", money(cost.reported(), cost.price()));
        value("estimated_money", money(cost.estimated(), cost.price()));
    }

    private static String money(long cost, Optional<Price> price) {
        return price.map(each -> String.format(Locale.ROOT, "%.6f", each.of(cost)))
                .orElse("null");
    }

    private static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toNanos() / 1e6);
    }

    private void text(String name, String value) {
        value(name, quoted(value));
    }

    private void value(String name, Object json) {
        separate();
        out.append(quoted(name)).append(':').append(json);
    }

    private void object(String name, Runnable members) {
        separate();
        out.append(quoted(name)).append(":{");
        first = true;
        members.run();
        out.append('}');
        first = false;
    }

    private <T> void array(String name, Stream<T> elements, Consumer<T> members) {
        separate();
        out.append(quoted(name)).append(":[");
        List<T> all = elements.toList();
        for (Iterator<T> each = all.iterator(); each.hasNext(); ) {
            out.append('{');
            first = true;
            members.accept(each.next());
            out.append(each.hasNext() ? "}," : "}");
        }
        out.append(']');
        first = false;
    }

    private void separate() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    static String quoted(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < 0x20 || c == 0x2028 || c == 0x2029) {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}

package io.redrive.cli.activity;

import io.redrive.cli.command.JsonObject;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.pipeline.StoreAlert;
import java.util.List;

/** The activity of a store as one JSON object. */
final class ActivityJson {

    private ActivityJson() {}

    static JsonObject of(Activity activity, List<Activity.OfName> names, List<StoreAlert> alerts) {
        JsonObject json = new JsonObject()
                .put("from", activity.query().from().toString())
                .put("until", activity.query().until().toString())
                .put("slice_seconds", activity.query().step().toSeconds());
        return totals(json, activity.total())
                .put(
                        "slices",
                        activity.slices().stream().map(ActivityJson::slice).toList())
                .put("names", names.stream().map(ActivityJson::name).toList())
                .put("alerts", alerts.stream().map(ActivityJson::alert).toList());
    }

    private static JsonObject slice(Activity.Slice slice) {
        return totals(new JsonObject().put("start", slice.start().toString()), slice.totals());
    }

    private static JsonObject name(Activity.OfName name) {
        return totals(new JsonObject().put("name", name.name()), name.totals()).put("done_by_slice", name.done());
    }

    private static JsonObject totals(JsonObject json, ActivityTotals totals) {
        ActivityCounts counts = totals.counts();
        return json.put("published", counts.published())
                .put("duplicates", counts.duplicates())
                .put("done", counts.done())
                .put("retried", counts.retried())
                .put("dead", counts.dead())
                .put("batches", counts.batches())
                .put("batch_timeouts", counts.batchTimeouts())
                .put("handler_time", percentiles(totals.handlerTime()))
                .put("latency", percentiles(totals.latency()));
    }

    private static JsonObject percentiles(DurationHistogram histogram) {
        return new JsonObject()
                .put("count", histogram.count())
                .put("p50_ms", millis(histogram, 0.5))
                .put("p95_ms", millis(histogram, 0.95))
                .put("p99_ms", millis(histogram, 0.99));
    }

    private static double millis(DurationHistogram histogram, double share) {
        return histogram.percentile(share).toNanos() / 1_000 / 1_000.0;
    }

    private static JsonObject alert(StoreAlert alert) {
        return new JsonObject()
                .put("alert", alert.kind().code())
                .put("raised", alert.raised())
                .put("value", alert.value())
                .put("threshold", alert.threshold());
    }
}

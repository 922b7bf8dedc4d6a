package io.redrive.cli.remote;

import io.redrive.core.DurationText;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.operations.ActivityOperations;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.StoreAlert;
import java.util.List;
import java.util.Locale;

/** {@link ActivityOperations} of a server. */
final class RemoteActivity implements ActivityOperations {

    private final Api api;

    RemoteActivity(Api api) {
        this.api = api;
    }

    @Override
    public Activity read(ActivityQuery query) {
        Fields fields = api.get(ApiPath.of("activity")
                .with("from", query.from())
                .with("until", query.until())
                .with("period", query.period().name().toLowerCase(Locale.ROOT))
                .with("step", DurationText.format(query.step()))
                .with("names_from", query.lowest())
                .with("names_before", query.beyond()));
        return new Activity(
                query,
                totals(fields),
                fields.list("slices", slice -> new Activity.Slice(slice.time("start"), totals(slice))),
                fields.list(
                        "names",
                        name -> new Activity.OfName(name.text("name"), totals(name), name.numbers("done_by_slice"))));
    }

    private static ActivityTotals totals(Fields fields) {
        return new ActivityTotals(
                new ActivityCounts(
                        fields.number("published"),
                        fields.number("duplicates"),
                        fields.number("done"),
                        fields.number("retried"),
                        fields.number("dead"),
                        fields.number("batches"),
                        fields.number("batch_timeouts")),
                histogram(fields.object("handler_time")),
                histogram(fields.object("latency")));
    }

    private static DurationHistogram histogram(Fields fields) {
        return DurationHistogram.decode(fields.base64("histogram"));
    }

    /** Returns the alerts by the thresholds of the server, which its configuration names. */
    @Override
    public List<StoreAlert> alerts() {
        return api.get(ApiPath.of("alerts")).list("items", RemoteActivity::alert);
    }

    static StoreAlert alert(Fields fields) {
        return new StoreAlert(
                fields.constant("alert", Alerts.Kind.class),
                fields.isTrue("raised"),
                fields.decimal("value"),
                fields.decimal("threshold"));
    }
}

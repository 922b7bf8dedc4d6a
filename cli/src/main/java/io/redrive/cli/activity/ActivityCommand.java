package io.redrive.cli.activity;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.command.PeriodOptions;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.core.DurationText;
import io.redrive.events.NamePattern;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.operations.NodeSizes;
import io.redrive.operations.Operations;
import io.redrive.pipeline.StoreAlert;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code redrive activity}: counts, rates, percentiles and alerts of a store. */
@Command(
        name = "activity",
        description =
                "Show what happened in a store, on all nodes together: events published, done, retried and dead by name,"
                        + " with a bar for each slice of time, and the sizes that nodes chose because of their load. Nodes write"
                        + " once a minute.")
public final class ActivityCommand extends OperationsCommand {

    /** Bars that fit beside the numbers on a terminal of 60 columns. */
    private static final int FEW_BARS = 16;

    private static final int MANY_BARS = 24;
    private static final int WIDE = 80;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            defaultValue = "1h",
            description =
                    "Since this time: 2h (ago), 2026-03-01, an ISO time (default: ${DEFAULT-VALUE}). By the minute for 48"
                            + " hours, by the hour for 60 days.")
    private String since = "1h";

    @Option(names = "--name", paramLabel = "PATTERN", description = "Event name or pattern, such as order.*.")
    private @Nullable String name;

    @Option(names = "--limit", paramLabel = "N", description = "How many names at most (default: ${DEFAULT-VALUE}).")
    private int limit = 20;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    /** Creates the command. */
    public ActivityCommand(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        Activity activity = operations.activity().read(query());
        List<Activity.OfName> names = activity.names().stream().limit(limit).toList();
        List<StoreAlert> alerts = operations.activity().alerts();
        List<NodeSizes> nodes =
                NodeSizes.of(operations.nodes(), context().time().now());
        if (json) {
            say(ActivityJson.of(activity, names, alerts).put("nodes", NodeSizesText.json(nodes)));
        } else {
            show(activity, names, alerts);
            nodes.forEach(node -> {
                say("");
                say(paint().faint(Printable.line("node " + node.node() + " chose")));
                say(NodeSizesText.table(node));
            });
        }
        return 0;
    }

    private ActivityQuery query() {
        Instant now = context().time().now();
        Duration ago = Duration.between(PeriodOptions.moment("--since", since, now), now);
        boolean wide = context().terminal().columns() >= WIDE;
        ActivityQuery query = ActivityQuery.last(ago, now).inSlices(wide ? MANY_BARS : FEW_BARS);
        if (name == null) {
            return query;
        }
        NamePattern pattern = new NamePattern(name);
        return query.named(pattern.lowest(), pattern.beyond());
    }

    private void show(Activity activity, List<Activity.OfName> names, List<StoreAlert> alerts) {
        ActivityQuery query = activity.query();
        String about = name == null ? "" : Printable.line(name) + ", ";
        say(paint().faint(about + "since " + query.from() + ", a bar for each " + DurationText.format(query.step())));
        if (names.isEmpty()) {
            say("no activity" + (name == null ? "" : " of this name") + "; nodes write once a minute");
        } else {
            show(activity);
            say("");
            say(table(names));
            int more = activity.names().size() - names.size();
            if (more > 0) {
                note("and " + more + " more names; see --limit and --name");
            }
            say("");
        }
        show(alerts);
    }

    private void show(Activity activity) {
        ActivityTotals total = activity.total();
        ActivityCounts counts = total.counts();
        count(activity, "published", ActivityCounts::published);
        count(activity, "duplicates", ActivityCounts::duplicates);
        count(activity, "done", ActivityCounts::done);
        count(activity, "retried", ActivityCounts::retried);
        count(activity, "dead", ActivityCounts::dead);
        percentiles("handler", total.handlerTime());
        percentiles("latency", total.latency());
        if (counts.batchTimeouts() > 0) {
            say(counts.batchTimeouts() + " of " + counts.batches() + " batches ran into the time limit");
        }
    }

    private void count(Activity activity, String what, ToLongFunction<ActivityCounts> part) {
        long count = part.applyAsLong(activity.total().counts());
        Duration during =
                Duration.between(activity.query().from(), activity.query().until());
        List<Long> bars = activity.slices().stream()
                .map(slice -> part.applyAsLong(slice.totals().counts()))
                .toList();
        say(String.format(
                        Locale.ROOT,
                        "%-10s %9s %12s  %s",
                        what,
                        ActivityText.count(count),
                        ActivityText.rate(count, during),
                        sparkline().draw(bars))
                .stripTrailing());
    }

    private void percentiles(String what, DurationHistogram histogram) {
        if (histogram.count() > 0) {
            say(String.format(
                    Locale.ROOT,
                    "%-10s p50 %s, p95 %s, p99 %s",
                    what,
                    ActivityText.brief(histogram.percentile(0.5)),
                    ActivityText.brief(histogram.percentile(0.95)),
                    ActivityText.brief(histogram.percentile(0.99))));
        }
    }

    private TextTable table(List<Activity.OfName> names) {
        TextTable table = new TextTable(
                Column.elastic("name"),
                Column.right("published").droppable(3),
                Column.right("done"),
                Column.right("retried"),
                Column.right("dead"),
                Column.right("p50").droppable(2),
                Column.right("p95").droppable(1),
                Column.left("done by time"));
        for (Activity.OfName each : names) {
            ActivityCounts counts = each.totals().counts();
            DurationHistogram time = each.totals().handlerTime();
            table.add(
                    each.name(),
                    ActivityText.count(counts.published()),
                    ActivityText.count(counts.done()),
                    ActivityText.percent(counts.retryRate()),
                    ActivityText.count(counts.dead()),
                    time.count() == 0 ? "" : ActivityText.brief(time.percentile(0.5)),
                    time.count() == 0 ? "" : ActivityText.brief(time.percentile(0.95)),
                    sparkline().draw(each.done()));
        }
        return table;
    }

    private void show(List<StoreAlert> alerts) {
        List<StoreAlert> raised = alerts.stream().filter(StoreAlert::raised).toList();
        if (raised.isEmpty()) {
            say("no alert is raised");
        } else {
            raised.forEach(alert -> say(paint().red("ALERT") + " " + ActivityText.alert(alert)));
        }
    }

    private Sparkline sparkline() {
        return Sparkline.of(context().environment());
    }
}

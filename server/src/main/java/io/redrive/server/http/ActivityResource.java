package io.redrive.server.http;

import io.redrive.core.DurationText;
import io.redrive.events.ActionFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.OperatorAction;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.operations.NodeSizes;
import io.redrive.pipeline.Member;
import io.redrive.pipeline.StoreAlert;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What happened: activity by minute and name, alerts, nodes, the record of actions. */
@RestController
class ActivityResource {

    private static final int SLICES = 60;

    private final CallerOperations operations;

    ActivityResource(CallerOperations operations) {
        this.operations = operations;
    }

    @GetMapping("/api/v1/activity")
    Map<String, Object> activity(HttpServletRequest request) {
        Query query = Query.of(
                request, "last", "from", "until", "period", "name", "names_from", "names_before", "slices", "step");
        ActivityQuery whole = inSteps(query, period(query));
        ActivityQuery named = query.value("name", NamePattern::new)
                .map(pattern -> whole.named(pattern.lowest(), pattern.beyond()))
                .orElse(whole);
        ActivityQuery ranged = query.text("names_before")
                .map(beyond -> named.named(query.text("names_from").orElse(""), beyond))
                .orElse(named);
        Activity activity = operations.of(request).activity().read(ranged);
        Answer answer = new Answer()
                .put("from", activity.query().from())
                .put("until", activity.query().until())
                .put("slice_seconds", activity.query().step().toSeconds());
        return totals(answer, activity.total())
                .put(
                        "slices",
                        activity.slices().stream()
                                .map(slice -> totals(new Answer().put("start", slice.start()), slice.totals()))
                                .toList())
                .put(
                        "names",
                        activity.names().stream()
                                .map(name -> totals(new Answer().put("name", name.name()), name.totals())
                                        .put("done_by_slice", name.done()))
                                .toList())
                .done();
    }

    /** Returns the query for the time between {@code from} and {@code until}, or for the last hour or so. */
    private ActivityQuery period(Query query) {
        Instant until = query.time("until").orElseGet(operations.time()::now);
        Optional<Instant> from = query.time("from");
        Optional<ActivityPeriod> period = query.value("period", ActivityResource::period);
        if (period.isPresent()) {
            Instant first = from.orElseThrow(() -> Problem.wrong("from", null, "must be given beside period"));
            return new ActivityQuery(period.get(), first, until);
        }
        Duration last = from.map(first -> Duration.between(first, until))
                .or(() -> query.value("last", DurationText::parse))
                .orElse(Duration.ofHours(1));
        return ActivityQuery.last(last, until);
    }

    private static ActivityPeriod period(String text) {
        return switch (text) {
            case "minute" -> ActivityPeriod.MINUTE;
            case "hour" -> ActivityPeriod.HOUR;
            default -> throw new IllegalArgumentException("it must be minute or hour");
        };
    }

    private static ActivityQuery inSteps(Query query, ActivityQuery whole) {
        Optional<Duration> step = query.value("step", DurationText::parse);
        return step.isPresent()
                ? new ActivityQuery(
                        whole.period(), whole.from(), whole.until(), step.get(), whole.lowest(), whole.beyond())
                : whole.inSlices(query.value("slices", Integer::parseInt).orElse(SLICES));
    }

    private static Answer totals(Answer answer, ActivityTotals totals) {
        ActivityCounts counts = totals.counts();
        return answer.put("published", counts.published())
                .put("duplicates", counts.duplicates())
                .put("done", counts.done())
                .put("retried", counts.retried())
                .put("dead", counts.dead())
                .put("batches", counts.batches())
                .put("batch_timeouts", counts.batchTimeouts())
                .put("handler_time", percentiles(totals.handlerTime()))
                .put("latency", percentiles(totals.latency()));
    }

    private static Answer percentiles(DurationHistogram histogram) {
        return new Answer()
                .put("count", histogram.count())
                .put("p50_ms", histogram.percentile(0.5))
                .put("p95_ms", histogram.percentile(0.95))
                .put("p99_ms", histogram.percentile(0.99))
                .put("histogram", Base64.getEncoder().encodeToString(histogram.encode()));
    }

    @GetMapping("/api/v1/alerts")
    Map<String, Object> alerts(HttpServletRequest request) {
        Query.of(request);
        return Answer.list(operations.of(request).activity().alerts(), ActivityResource::alert);
    }

    static Answer alert(StoreAlert alert) {
        return new Answer()
                .put("alert", alert.kind().code())
                .put("raised", alert.raised())
                .put("value", alert.value())
                .put("threshold", alert.threshold());
    }

    @GetMapping("/api/v1/nodes")
    Map<String, Object> nodes(HttpServletRequest request) {
        Query.of(request);
        Instant now = operations.time().now();
        return Answer.list(operations.of(request).nodes(), node -> node(node, now));
    }

    private static Answer node(Member node, Instant now) {
        return new Answer()
                .put("node", node.node())
                .put("service", node.service())
                .put("version", node.version().map(version -> version.text()))
                .put("alive", node.isAlive(now))
                .put("started", node.started())
                .put("seen", node.seen())
                .put(
                        "handles",
                        node.handles().stream().map(NamePattern::text).sorted().toList())
                .put("sizes", node.sizes().stream().map(NodeSizes::members).toList());
    }

    @GetMapping("/api/v1/actions")
    Map<String, Object> actions(HttpServletRequest request) {
        Query query = Query.of(request, "operator", "action", "since", "until", "limit", "cursor");
        ActionFilter filter = ActionFilter.ALL;
        filter = query.text("operator").map(filter::withOperator).orElse(filter);
        filter = query.text("action").map(filter::withAction).orElse(filter);
        Optional<Instant> since = query.time("since");
        Optional<Instant> until = query.time("until");
        filter = filter.withTime(since.orElse(null), until.orElse(null));
        filter = query.text("cursor").map(filter::withAfter).orElse(filter);
        int limit = operations.limit(query);
        return Answer.pageByText(
                operations.of(request).actions(filter, limit),
                limit,
                ActivityResource::action,
                action -> action.command().id());
    }

    private static Answer action(OperatorAction action) {
        return new Answer()
                .put("command", action.command().id())
                .put("operator", action.operator())
                .put("origin", action.command().origin())
                .put("action", action.action())
                .put("about", action.command().about())
                .put("outcome", action.outcome())
                .put("letters", action.letters())
                .put("causes", action.causes())
                .put("at", action.at())
                .put("updated", action.updated());
    }
}

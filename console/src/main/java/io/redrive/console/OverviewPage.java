package io.redrive.console;

import io.redrive.events.RedriveOperation;
import io.redrive.events.SetAside;
import io.redrive.events.StoreStats;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.operations.Operations;
import io.redrive.operations.Proposal;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.ChosenSize;
import io.redrive.pipeline.Member;
import io.redrive.pipeline.NamePause;
import io.redrive.pipeline.StoreAlert;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Shows how things are: the verdict, rates, thresholds, names, nodes and running operations. */
final class OverviewPage {

    private static final int NAMES = 30;
    private static final int OPERATIONS = 50;
    private static final int UNHANDLED = 5;
    /** The sizes of a node that its row lists. */
    static final int SIZES = 4;
    /** The minutes of a rate. */
    private static final int RATE_MINUTES = 5;

    private static final Duration LAST = Duration.ofMinutes(RATE_MINUTES);
    /** Nodes write a minute when it is over: a minute counts from this time after its beginning on. */
    private static final Duration WRITTEN_AFTER = Duration.ofSeconds(75);

    /**
     * A rate of the last minutes, with the last hour behind it.
     *
     * @param label what is counted
     * @param rate the rate with its unit
     * @param values the counts of the last hour by minute
     */
    record Rate(String label, String rate, List<Long> values) {}

    /**
     * The facts of the page.
     *
     * @param verdict how things are, in one sentence
     * @param stats events by state
     * @param rates rates of events
     * @param gauges values beside their thresholds
     * @param written the number of minutes of the last hour that nodes have written
     * @param names the busiest names of the last hour
     * @param nodes the nodes, also crashed ones
     * @param operations redrive operations that have not ended
     * @param pauses paused names
     * @param proposals commands that wait for the decision of a person
     */
    record View(
            Verdict verdict,
            StoreStats stats,
            List<Rate> rates,
            List<Gauge> gauges,
            int written,
            List<Activity.OfName> names,
            List<Member> nodes,
            List<RedriveOperation> operations,
            List<NamePause> pauses,
            List<Proposal> proposals) {

        /** Returns what is known about the waiting events beside their number. */
        String waiting() {
            long paused = stats.waiting().paused();
            String oldest = stats.ready() == 0 ? "" : "the oldest for " + Format.duration(stats.oldestReady());
            if (paused == 0) {
                return oldest.isEmpty() ? "nothing is due" : oldest;
            }
            return (oldest.isEmpty() ? "" : oldest + "; ") + Format.counted(paused, "event") + " paused";
        }

        boolean isRunning() {
            return operations.stream().anyMatch(operation -> operation.state().isActive());
        }
    }

    private final Renderer renderer;
    private final RecentActivity recent;

    OverviewPage(Renderer renderer, RecentActivity recent) {
        this.renderer = renderer;
        this.recent = recent;
    }

    /** Returns a size that a node chose: {@code lane domain: 400 claims}. */
    static String inWords(ChosenSize size) {
        return size.subject() + ": " + Format.number(size.size()) + " " + size.unit();
    }

    static String bounds(ChosenSize size) {
        return "of " + Format.number(size.least()) + " to " + Format.number(size.most());
    }

    ServerResponse show(Visit visit) {
        return renderer.html(visit, "overview", view(visit));
    }

    private View view(Visit visit) {
        Operations operations = visit.operations();
        Instant now = visit.now();
        StoreStats stats = operations.events().stats();
        Activity activity = recent.lastHour(operations.activity(), now);
        List<StoreAlert> alerts = operations.activity().alerts();
        List<Member> nodes = operations.nodes();
        List<NamePause> pauses = operations.pauses().list();
        Verdict verdict = Verdict.of(new Verdict.Facts(
                operations.causes().latest(Verdict.CAUSES),
                stats.dead(),
                stats.ready() + stats.delayed() + stats.claimed(),
                alerts,
                pauses,
                operations.events().unhandled(UNHANDLED).stream()
                        .map(SetAside::name)
                        .toList(),
                nodes.stream().filter(node -> node.isAlive(now)).count()));
        int written = written(activity, now);
        return new View(
                verdict,
                stats,
                rates(activity, written, now),
                alerts.stream()
                        .filter(alert -> alert.kind() != Alerts.Kind.REGRESSED_CAUSES)
                        .map(Gauge::of)
                        .toList(),
                written,
                activity.names().stream().limit(NAMES).toList(),
                nodes,
                operations.redrives().list(OPERATIONS).stream()
                        .filter(operation -> !operation.state().isEnded())
                        .toList(),
                pauses,
                ProposalsPage.waiting(visit));
    }

    private static int written(Activity activity, Instant now) {
        return (int) activity.slices().stream()
                .filter(slice -> !slice.start().plus(WRITTEN_AFTER).isAfter(now))
                .count();
    }

    private static List<Rate> rates(Activity activity, int written, Instant now) {
        return List.of(
                rate("Published", activity, written, now, ActivityCounts::published),
                rate("Done", activity, written, now, ActivityCounts::done),
                rate("Retried", activity, written, now, ActivityCounts::retried),
                rate("Dead", activity, written, now, ActivityCounts::dead));
    }

    private static Rate rate(
            String label, Activity activity, int written, Instant now, ToLongFunction<ActivityCounts> count) {
        boolean first = isFirstMinute(activity, written);
        List<Long> values = activity.slices().stream()
                .limit(first ? Long.MAX_VALUE : written)
                .map(slice -> count.applyAsLong(slice.totals().counts()))
                .toList();
        long recent = values.stream()
                .skip(Math.max(0, values.size() - RATE_MINUTES))
                .mapToLong(Long::longValue)
                .sum();
        return new Rate(label, Format.rate(recent, first ? sinceFirst(activity, now) : LAST), values);
    }

    /** Returns true when all activity lies in minutes that nodes are still counting. A node writes its first minute in parts. */
    private static boolean isFirstMinute(Activity activity, int written) {
        return activity.slices().stream()
                .limit(written)
                .allMatch(slice -> slice.totals().equals(ActivityTotals.NONE));
    }

    private static Duration sinceFirst(Activity activity, Instant now) {
        return activity.slices().stream()
                .filter(slice -> !slice.totals().equals(ActivityTotals.NONE))
                .findFirst()
                .map(slice -> Duration.between(slice.start(), now))
                .orElse(LAST);
    }
}

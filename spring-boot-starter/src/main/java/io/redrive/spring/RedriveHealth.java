package io.redrive.spring;

import io.redrive.core.DurationText;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.StoreStats;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.NamePause;
import io.redrive.pipeline.NodeFlow;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineHealth;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Up while the store answers, the pipeline makes progress and its flow, if there is one, hears of its group. Alerts are details and no reason to be down: taking a node out
 * of service would not reduce the number of dead letters.
 */
final class RedriveHealth extends AbstractHealthIndicator {

    private final EventStore store;
    private final Pipeline pipeline;
    private final Time time;
    private final List<PipelineSource> sources;

    RedriveHealth(EventStore store, Pipeline pipeline, Time time, List<PipelineSource> sources) {
        super("the store of events does not answer");
        this.store = store;
        this.pipeline = pipeline;
        this.time = time;
        this.sources = List.copyOf(sources);
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        StoreStats stats = NamePause.stats(store, time.now());
        PipelineHealth health = pipeline.health();
        Optional<FlowReport> flow =
                sources.stream().flatMap(source -> source.report().stream()).findFirst();
        boolean isHeard = flow.map(this::isHeard).orElse(true);
        flow.ifPresent(report -> builder.withDetail("flow", inWords(report, isHeard)));
        builder.status(health.isHealthy() && isHeard ? Status.UP : Status.DOWN)
                .withDetail("pipeline", health.state().name().toLowerCase(Locale.ROOT))
                .withDetail("ready", stats.ready())
                .withDetail("delayed", stats.delayed())
                .withDetail("behindKey", stats.waiting().behindKey())
                .withDetail("setAside", stats.waiting().setAside())
                .withDetail("paused", stats.waiting().paused())
                .withDetail("withoutToken", stats.waiting().forToken())
                .withDetail("claimed", stats.claimed())
                .withDetail("dead", stats.dead())
                .withDetail("oldestReady", DurationText.format(stats.oldestReady()))
                .withDetail(
                        "alerts",
                        pipeline.alerts().current().stream()
                                .filter(Alerts.State::raised)
                                .map(alert -> alert.kind().code())
                                .toList());
    }

    private boolean isHeard(FlowReport report) {
        return report.at().plus(NodeFlow.STALE_AFTER).isAfter(time.now());
    }

    /** A partition that waits is no reason to be down: the next process would wait for the same. */
    private static String inWords(FlowReport report, boolean isHeard) {
        if (!isHeard) {
            return "silent since " + report.at() + ": the process has not heard of its group; its log says why";
        }
        String reasons = report.partitions().stream()
                .flatMap(partition -> partition.pause().stream())
                .distinct()
                .sorted()
                .map(PauseReason::words)
                .collect(Collectors.joining("; "));
        long paused = report.partitions().stream()
                .filter(partition -> partition.pause().isPresent())
                .count();
        int partitions = report.partitions().size();
        return partitions
                + (partitions == 1 ? " partition" : " partitions")
                + (paused == 0 ? "" : ", " + paused + " paused: " + reasons);
    }
}

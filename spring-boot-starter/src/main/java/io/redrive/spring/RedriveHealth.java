package io.redrive.spring;

import io.redrive.core.DurationText;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.StoreStats;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.NamePause;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineHealth;
import java.util.Locale;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Up while the store answers and the pipeline makes progress. Alerts are details and no reason to be down: taking a node out
 * of service would not reduce the number of dead letters.
 */
final class RedriveHealth extends AbstractHealthIndicator {

    private final EventStore store;
    private final Pipeline pipeline;
    private final Time time;

    RedriveHealth(EventStore store, Pipeline pipeline, Time time) {
        super("the store of events does not answer");
        this.store = store;
        this.pipeline = pipeline;
        this.time = time;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        StoreStats stats = NamePause.stats(store, time.now());
        PipelineHealth health = pipeline.health();
        builder.status(health.isHealthy() ? Status.UP : Status.DOWN)
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
}

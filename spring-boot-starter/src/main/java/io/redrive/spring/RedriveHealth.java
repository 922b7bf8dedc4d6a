package io.redrive.spring;

import io.redrive.core.DurationText;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.StoreStats;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.Pipeline;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up while the store answers. Alerts are details and not a reason to be down: a node that is taken out of service because of
 * its dead letters would do nothing about them.
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
        StoreStats stats = store.stats(time.now());
        builder.up()
                .withDetail("ready", stats.ready())
                .withDetail("delayed", stats.delayed())
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

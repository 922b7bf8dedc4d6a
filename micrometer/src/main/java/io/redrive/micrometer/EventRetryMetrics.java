package io.redrive.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.redrive.events.EventRetryListener;
import java.util.Objects;

/**
 * Counts the events of an {@link io.redrive.events.EventRetry} in Micrometer meters: the meters of {@link PipelineMetrics}
 * whose names begin with {@code event.retry}, and {@code event.dedup}. Thread-safe.
 *
 * <pre>{@code
 * EventRetry.forService("chunking", sink).listener(EventRetryMetrics.on(registry)).build();
 * }</pre>
 *
 * <p>Services beyond the first {@value #MAX_SERVICES} are counted together as {@code other}.
 */
public final class EventRetryMetrics implements EventRetryListener {

    /** The most services with separate meters. */
    public static final int MAX_SERVICES = 50;

    private final BoundedNames<EventMeters> services;

    private EventRetryMetrics(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        services = new BoundedNames<>(MAX_SERVICES, service -> new EventMeters(registry, service));
    }

    /** Returns a listener that counts in {@code registry}. */
    public static EventRetryMetrics on(MeterRegistry registry) {
        return new EventRetryMetrics(registry);
    }

    @Override
    public void onRetry(Retrying event) {
        services.of(event.service()).retried();
    }

    @Override
    public void onSuccess(Succeeded event) {
        services.of(event.service()).succeeded(event.attempts(), event.latency());
    }

    @Override
    public void onAbandoned(Abandoned event) {
        services.of(event.service()).died(event.reason(), event.attempts());
    }

    @Override
    public void onDuplicate(Duplicate event) {
        services.of(event.service()).duplicate();
    }
}

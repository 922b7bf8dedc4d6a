package io.redrive.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import io.redrive.events.StoreStats;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.PipelineListener;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts the events of a pipeline in Micrometer meters. Thread-safe; add one instance to each pipeline as a listener.
 *
 * <pre>{@code
 * Pipeline.on(store).service("orders").listener(PipelineMetrics.on(registry, "orders", store)).start();
 * }</pre>
 *
 * <table>
 * <caption>Meters, all with the tag {@code service}</caption>
 * <tr><th>name</th><th>kind</th><th>further tags</th></tr>
 * <tr><td>{@code event.published}</td><td>counter, duplicates not included</td><td></td></tr>
 * <tr><td>{@code event.dedup}</td><td>counter of duplicates dropped</td><td></td></tr>
 * <tr><td>{@code event.retry}</td><td>counter of failed attempts that are retried</td><td></td></tr>
 * <tr><td>{@code event.retry.success}</td><td>counter of handled events</td>
 *     <td>{@code attempt} (1 to 9, 10+)</td></tr>
 * <tr><td>{@code event.retry.latency}</td><td>histogram, from due to done, of events that were retried</td>
 *     <td></td></tr>
 * <tr><td>{@code event.retry.attempt.count}</td><td>histogram, attempts of events that ended</td><td></td></tr>
 * <tr><td>{@code event.retry.dlq}</td><td>counter of dead letters</td><td>{@code reason}</td></tr>
 * <tr><td>{@code pipeline.batch}</td><td>counter</td>
 *     <td>{@code batcher} (critical_events, domain_events, suspect_events),
 *     {@code outcome} (start, stop, error, timeout)</td></tr>
 * <tr><td>{@code pipeline.batch.time}</td><td>timer, from the begin of a batch's first event to the end of its last</td>
 *     <td>{@code batcher}, {@code outcome} (stop, error, timeout)</td></tr>
 * <tr><td>{@code pipeline.handlers.busy}, {@code pipeline.handlers.stuck}</td><td>gauge, running handlers of this
 *     process, and running handlers beyond their time limit</td><td></td></tr>
 * <tr><td>{@code pipeline.handler.limit}</td><td>gauge, calls at once that the adaptive limit of a handler allows</td>
 *     <td>{@code pattern} of the handler</td></tr>
 * <tr><td>{@code pipeline.alert}</td><td>gauge: 1 raised, 0 not</td><td>{@code alert}</td></tr>
 * <tr><td>{@code events.ready}, {@code events.delayed}, {@code events.claimed}, {@code events.dead}</td>
 *     <td>gauge, of the whole store</td><td></td></tr>
 * <tr><td>{@code events.behind.key}, {@code events.set.aside}, {@code events.paused}, {@code events.without.token}</td>
 *     <td>gauge, ready and delayed events that wait for more than their due time</td><td></td></tr>
 * <tr><td>{@code events.set.aside.age}</td><td>gauge, seconds the oldest event set aside has been due</td><td></td></tr>
 * <tr><td>{@code events.oldest.age}</td><td>gauge, seconds the oldest ready event has been due</td><td></td></tr>
 * <tr><td>{@code events.claimed.oldest.age}</td><td>gauge, seconds since the oldest unsettled claim of
 *     this process</td><td></td></tr>
 * </table>
 */
public final class PipelineMetrics implements PipelineListener {

    private final EventMeters events;
    private final Counter published;
    private final Counter duplicates;
    private final EnumMeters<Lane, EnumMeters<BatchOutcome, Counter>> batches;
    private final EnumMeters<Lane, Map<BatchOutcome, Timer>> batchTimes;
    private final Map<String, AtomicInteger> alerts = new HashMap<>();
    /** By the pattern of a handler; a pipeline has a fixed number of handlers. */
    private final Map<String, AtomicInteger> limits = new ConcurrentHashMap<>();

    private final MeterRegistry registry;
    private final String service;
    private volatile Workload workload = new Workload(0, 0, Duration.ZERO, Instant.EPOCH);

    private PipelineMetrics(MeterRegistry registry, String service, CachedStats stats) {
        this.registry = registry;
        this.service = service;
        events = new EventMeters(registry, service);
        published = counter(registry, "event.published", "Events accepted", service);
        duplicates = counter(registry, "event.dedup", "Duplicates dropped", service);
        batches = new EnumMeters<>(Lane.class, lane -> batchCounters(registry, service, lane));
        batchTimes = new EnumMeters<>(Lane.class, lane -> batchTimers(registry, service, lane));
        for (Alerts.Kind kind : Alerts.Kind.values()) {
            alerts.put(kind.code(), alertGauge(registry, service, kind));
        }
        handlerGauge(registry, service, "busy", metrics -> metrics.workload.busy());
        handlerGauge(registry, service, "stuck", metrics -> metrics.workload.stuck());
        TimeGauge.builder(
                        "events.claimed.oldest.age",
                        this,
                        TimeUnit.MILLISECONDS,
                        metrics -> metrics.workload.oldestClaimed().toMillis())
                .description("How long the oldest claimed event of this process has been claimed")
                .tag("service", service)
                .strongReference(true)
                .register(registry);
        gauge(registry, service, "ready", stats, StoreStats::ready);
        gauge(registry, service, "delayed", stats, StoreStats::delayed);
        gauge(registry, service, "claimed", stats, StoreStats::claimed);
        gauge(registry, service, "dead", stats, StoreStats::dead);
        gauge(registry, service, "behind.key", stats, each -> each.waiting().behindKey());
        gauge(registry, service, "set.aside", stats, each -> each.waiting().setAside());
        gauge(registry, service, "paused", stats, each -> each.waiting().paused());
        gauge(registry, service, "without.token", stats, each -> each.waiting().forToken());
        TimeGauge.builder("events.set.aside.age", stats, TimeUnit.MILLISECONDS, PipelineMetrics::asideMillis)
                .description("How long the oldest event that was set aside has been due")
                .tag("service", service)
                .strongReference(true)
                .register(registry);
        TimeGauge.builder("events.oldest.age", stats, TimeUnit.MILLISECONDS, PipelineMetrics::oldestMillis)
                .description("How long the oldest ready event has been due")
                .tag("service", service)
                .strongReference(true)
                .register(registry);
    }

    /** Metrics of the pipeline of {@code service} on {@code store}. */
    public static PipelineMetrics on(MeterRegistry registry, String service, EventStore store) {
        return on(registry, service, store, Time.system());
    }

    /** With a clock of your own, for tests. */
    public static PipelineMetrics on(MeterRegistry registry, String service, EventStore store, Time time) {
        Objects.requireNonNull(registry, "registry");
        if (service.isBlank()) {
            throw new IllegalArgumentException("service must not be blank");
        }
        return new PipelineMetrics(registry, service, new CachedStats(store, time));
    }

    @Override
    public void onPublished(Published event) {
        published.increment(event.accepted());
        duplicates.increment(event.duplicates());
    }

    @Override
    public void onDone(Done event) {
        events.succeeded(event.attempts(), event.latency());
    }

    @Override
    public void onRetry(Retrying event) {
        events.retried();
    }

    @Override
    public void onDead(Dead event) {
        events.died(event.reason(), event.attempts());
    }

    @Override
    public void onBatch(Batched event) {
        batches.of(event.lane()).of(event.outcome()).increment();
        @Nullable Timer time = batchTimes.of(event.lane()).get(event.outcome());
        if (time != null) {
            time.record(event.duration());
        }
    }

    @Override
    public void onWorkload(Workload event) {
        workload = event;
    }

    @Override
    public void onLimit(Limited event) {
        limits.computeIfAbsent(event.pattern(), this::limitGauge).set(event.limit());
    }

    private AtomicInteger limitGauge(String pattern) {
        AtomicInteger limit = new AtomicInteger();
        Gauge.builder("pipeline.handler.limit", limit, AtomicInteger::get)
                .description("Calls at once that the adaptive limit of a handler allows")
                .tag("service", service)
                .tag("pattern", pattern)
                .strongReference(true)
                .register(registry);
        return limit;
    }

    @Override
    public void onAlert(Alert event) {
        @Nullable AtomicInteger state = alerts.get(event.name());
        if (state != null) {
            state.set(event.raised() ? 1 : 0);
        }
    }

    private static Counter counter(MeterRegistry registry, String name, String description, String service) {
        return Counter.builder(name)
                .description(description)
                .tag("service", service)
                .register(registry);
    }

    private static EnumMeters<BatchOutcome, Counter> batchCounters(MeterRegistry registry, String service, Lane lane) {
        return new EnumMeters<>(
                BatchOutcome.class,
                outcome -> Counter.builder("pipeline.batch")
                        .description("Batches begun and ended")
                        .tag("service", service)
                        .tag("batcher", lower(lane) + "_events")
                        .tag("outcome", lower(outcome))
                        .register(registry));
    }

    /** Returns the timers of all outcomes but the start, which takes no time. */
    private static Map<BatchOutcome, Timer> batchTimers(MeterRegistry registry, String service, Lane lane) {
        Map<BatchOutcome, Timer> timers = new EnumMap<>(BatchOutcome.class);
        for (BatchOutcome outcome : EnumSet.complementOf(EnumSet.of(BatchOutcome.START))) {
            timers.put(
                    outcome,
                    Timer.builder("pipeline.batch.time")
                            .description("Time from the start of a batch's first event to the end of its last event")
                            .tag("service", service)
                            .tag("batcher", lower(lane) + "_events")
                            .tag("outcome", lower(outcome))
                            .register(registry));
        }
        return timers;
    }

    private void handlerGauge(
            MeterRegistry registry, String service, String which, ToDoubleFunction<PipelineMetrics> value) {
        Gauge.builder("pipeline.handlers." + which, this, value)
                .description("Handlers of this process: " + which)
                .tag("service", service)
                .strongReference(true)
                .register(registry);
    }

    private static AtomicInteger alertGauge(MeterRegistry registry, String service, Alerts.Kind kind) {
        AtomicInteger state = new AtomicInteger();
        Gauge.builder("pipeline.alert", state, AtomicInteger::get)
                .description("1 while the alert is raised")
                .tag("service", service)
                .tag("alert", kind.code())
                .strongReference(true)
                .register(registry);
        return state;
    }

    private static void gauge(
            MeterRegistry registry,
            String service,
            String where,
            CachedStats stats,
            ToDoubleFunction<StoreStats> part) {
        Gauge.builder("events." + where, stats, cached -> cached.value(part))
                .description("Events in the store: " + where)
                .tag("service", service)
                .strongReference(true)
                .register(registry);
    }

    private static double oldestMillis(CachedStats stats) {
        return stats.value(known -> known.oldestReady().toMillis());
    }

    private static double asideMillis(CachedStats stats) {
        return stats.value(known -> known.waiting().oldestSetAside().toMillis());
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

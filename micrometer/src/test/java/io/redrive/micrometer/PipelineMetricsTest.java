package io.redrive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.redrive.core.AdaptiveLimit;
import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.core.RetryBudget;
import io.redrive.events.DocumentNotFoundException;
import io.redrive.events.Event;
import io.redrive.events.EventRetry;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Priority;
import io.redrive.pipeline.AutomaticRedrive;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineListener;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The names that dashboards use. A changed name breaks a user's alert. */
final class PipelineMetricsTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final PipelineMetrics metrics = PipelineMetrics.on(registry, "shop", store, time);
    private int calls;

    private Event event(String name) {
        return Event.named(name).source("test").correlationId("c").time(time).build();
    }

    private Pipeline.Builder stepped() {
        return Pipeline.on(store)
                .service("shop")
                .executor(Runnable::run)
                .time(time)
                .random(RandomGenerator.of("L64X128MixRandom"))
                .automaticRedrive(AutomaticRedrive.OFF)
                .listener(metrics);
    }

    private List<String> scraped() {
        return registry.scrape().lines().toList();
    }

    @Test
    void an_event_that_succeeds_at_its_second_attempt_is_metered() {
        Pipeline pipeline = stepped()
                .on("order.*", event -> {
                    if (++calls == 1) {
                        throw new IllegalStateException("once");
                    }
                })
                .build();
        Event event = event("order.paid");
        pipeline.publish(event);
        pipeline.publish(event);
        pipeline.drain();
        time.advance(Duration.ofSeconds(2));
        pipeline.drain();

        assertThat(scraped())
                .contains(
                        "event_published_total{service=\"shop\"} 1.0",
                        "event_dedup_total{service=\"shop\"} 1.0",
                        "event_retry_total{service=\"shop\"} 1.0",
                        "event_retry_success_total{attempt=\"1\",service=\"shop\"} 0.0",
                        "event_retry_success_total{attempt=\"2\",service=\"shop\"} 1.0",
                        "event_retry_latency_seconds_count{service=\"shop\"} 1",
                        "event_retry_latency_seconds_sum{service=\"shop\"} 2.0",
                        "event_retry_latency_seconds_bucket{service=\"shop\",le=\"1.0\"} 0",
                        "event_retry_latency_seconds_bucket{service=\"shop\",le=\"2.5\"} 1",
                        "event_retry_attempt_count_count{service=\"shop\"} 1",
                        "event_retry_attempt_count_bucket{service=\"shop\",le=\"2.0\"} 1",
                        "pipeline_batch_total{batcher=\"domain_events\",outcome=\"start\",service=\"shop\"} 2.0",
                        "pipeline_batch_total{batcher=\"domain_events\",outcome=\"error\",service=\"shop\"} 1.0",
                        "pipeline_batch_total{batcher=\"domain_events\",outcome=\"stop\",service=\"shop\"} 1.0",
                        "pipeline_batch_time_seconds_count{batcher=\"domain_events\",outcome=\"stop\",service=\"shop\"} 1",
                        "pipeline_handlers_busy{service=\"shop\"} 0.0",
                        "pipeline_handlers_stuck{service=\"shop\"} 0.0");
    }

    @Test
    void the_adaptive_limit_of_a_handler_is_a_gauge() {
        Pipeline pipeline = stepped()
                .on("mail.*", event -> {})
                .adaptiveLimit("mail.*", AdaptiveLimit.between(1, 64))
                .build();
        pipeline.publish(event("mail.welcome"));
        pipeline.drain();

        assertThat(scraped()).contains("pipeline_handler_limit{pattern=\"mail.*\",service=\"shop\"} 4.0");
    }

    @Test
    void dead_letters_are_counted_by_reason_and_urgent_batches_apart() {
        Pipeline pipeline = stepped()
                .handle("order.*", event -> Outcome.dead("no"))
                .validate("order.refund", event -> {
                    throw new IllegalArgumentException("amount is missing");
                })
                .build();
        pipeline.publish(
                event("order.paid").toBuilder().priority(Priority.CRITICAL).build());
        pipeline.publish(event("order.refund"));
        pipeline.drain();

        assertThat(scraped())
                .contains(
                        "event_retry_dlq_total{reason=\"not_retryable\",service=\"shop\"} 1.0",
                        "event_retry_dlq_total{reason=\"invalid_event\",service=\"shop\"} 1.0",
                        "event_retry_dlq_total{reason=\"timeout\",service=\"shop\"} 0.0",
                        "pipeline_batch_total{batcher=\"critical_events\",outcome=\"error\",service=\"shop\"} 1.0",
                        "pipeline_batch_total{batcher=\"suspect_events\",outcome=\"error\",service=\"shop\"} 0.0",
                        "events_dead{service=\"shop\"} 2.0");
    }

    @Test
    void a_stuck_handler_and_the_age_of_its_event_are_seen() {
        metrics.onWorkload(new PipelineListener.Workload(3, 1, Duration.ofMinutes(2), time.now()));
        assertThat(scraped())
                .contains(
                        "pipeline_handlers_busy{service=\"shop\"} 3.0",
                        "pipeline_handlers_stuck{service=\"shop\"} 1.0",
                        "events_claimed_oldest_age_seconds{service=\"shop\"} 120.0");
    }

    @Test
    void the_store_is_asked_once_in_a_while_however_often_it_is_scraped() {
        store.publish(List.of(event("order.paid")), time.now());
        time.advance(Duration.ofSeconds(3));
        assertThat(scraped())
                .contains(
                        "events_ready{service=\"shop\"} 1.0",
                        "events_delayed{service=\"shop\"} 0.0",
                        "events_claimed{service=\"shop\"} 0.0",
                        "events_oldest_age_seconds{service=\"shop\"} 3.0");
        store.publish(List.of(event("order.paid")), time.now());
        time.advance(CachedStats.KEPT.minusNanos(1));
        assertThat(scraped()).contains("events_ready{service=\"shop\"} 1.0");
        time.advance(Duration.ofNanos(1));
        assertThat(scraped()).contains("events_ready{service=\"shop\"} 2.0");
    }

    @Test
    void an_alert_shows_while_it_is_raised() {
        metrics.onAlert(new PipelineListener.Alert("dedup_rate", true, 0.5, 0.2, time.now()));
        assertThat(scraped())
                .contains(
                        "pipeline_alert{alert=\"dedup_rate\",service=\"shop\"} 1.0",
                        "pipeline_alert{alert=\"retry_rate\",service=\"shop\"} 0.0");
        metrics.onAlert(new PipelineListener.Alert("dedup_rate", false, 0.1, 0.2, time.now()));
        assertThat(scraped()).contains("pipeline_alert{alert=\"dedup_rate\",service=\"shop\"} 0.0");
    }

    @Test
    void late_attempts_share_a_tag() {
        metrics.onDone(new PipelineListener.Done(event("order.paid"), 10, Duration.ZERO, time.now()));
        metrics.onDone(new PipelineListener.Done(event("order.paid"), 4_711, Duration.ZERO, time.now()));
        assertThat(scraped()).contains("event_retry_success_total{attempt=\"10+\",service=\"shop\"} 2.0");
    }

    @Test
    void a_handler_of_another_bus_has_the_same_meters_under_its_own_service() {
        EventRetry<String> chunking = EventRetry.<String>forService("chunking", abandoned -> {})
                .time(time)
                .listener(EventRetryMetrics.on(registry))
                .build();
        chunking.handle(
                event -> {
                    if (++calls < 3) {
                        throw new DocumentNotFoundException("not yet");
                    }
                },
                "parsed",
                "key-1");
        chunking.handle(
                event -> {
                    throw new DocumentNotFoundException("never");
                },
                "parsed",
                "key-2");

        assertThat(scraped())
                .contains(
                        "event_retry_success_total{attempt=\"3\",service=\"chunking\"} 1.0",
                        "event_retry_latency_seconds_count{service=\"chunking\"} 1",
                        "event_retry_total{service=\"chunking\"} 9.0",
                        "event_retry_dlq_total{reason=\"" + Reason.MAX_ATTEMPTS_EXCEEDED
                                + "\",service=\"chunking\"} 1.0",
                        "event_retry_attempt_count_sum{service=\"chunking\"} 11.0");
    }

    @Test
    void an_event_that_succeeds_at_once_has_no_latency_of_retries() {
        Pipeline pipeline = stepped().on("order.*", event -> {}).build();
        pipeline.publish(event("order.paid"));
        pipeline.drain();
        assertThat(scraped())
                .contains(
                        "event_retry_success_total{attempt=\"1\",service=\"shop\"} 1.0",
                        "event_retry_latency_seconds_count{service=\"shop\"} 0");
    }

    @Test
    void events_that_wait_for_a_token_are_told_from_events_of_a_paused_name() {
        Pipeline pipeline = stepped()
                .budget(
                        "order.*",
                        RetryBudget.builder("shop").reserve(0).share(0).build())
                .on("order.*", event -> {
                    throw new IllegalStateException("down");
                })
                .build();
        pipeline.publish(event("order.paid"));
        pipeline.drain();
        time.advance(Duration.ofSeconds(2));
        pipeline.drain();
        assertThat(scraped())
                .contains("events_without_token{service=\"shop\"} 1.0", "events_paused{service=\"shop\"} 0.0");
    }

    @Test
    void while_the_store_fails_its_numbers_are_a_gap_and_not_the_last_known_numbers() {
        AtomicBoolean away = new AtomicBoolean();
        EventStore failing = (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (proxy, method, arguments) -> {
                    if (away.get()) {
                        throw new IllegalStateException("the store is away");
                    }
                    return method.invoke(store, arguments);
                });
        PrometheusMeterRegistry own = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        PipelineMetrics.on(own, "shop", failing, time);
        store.publish(List.of(event("order.paid")), time.now());
        assertThat(own.scrape()).contains("events_ready{service=\"shop\"} 1.0");
        away.set(true);
        time.advance(CachedStats.KEPT);
        assertThat(own.scrape()).contains("events_ready{service=\"shop\"} NaN");
        away.set(false);
        time.advance(CachedStats.KEPT);
        assertThat(own.scrape()).contains("events_ready{service=\"shop\"} 1.0");
    }
}

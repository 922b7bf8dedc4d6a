package io.redrive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.Failure;
import io.redrive.core.ManualTime;
import io.redrive.core.Presets;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryListener;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The names that dashboards use. A changed name breaks a user's alert. */
final class PrometheusNamesTest {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final RetryMetrics metrics = RetryMetrics.on(registry);

    @Test
    void meters_are_scraped_under_these_names() {
        RetryBudget budget = RetryBudget.builder("bank").reserve(1).build();
        CircuitBreaker breaker =
                CircuitBreaker.builder("bank").listener(metrics).build();
        metrics.watch(budget);
        metrics.watch(breaker);
        breaker.open();
        Retry.with(Presets.CONNECTION)
                .named("payments")
                .time(new ManualTime())
                .budget(budget)
                .listener(metrics)
                .run(() -> {
                    throw new IllegalStateException("down");
                });

        assertThat(registry.scrape().lines())
                .contains(
                        "retry_calls_total{name=\"payments\",outcome=\"failure\",reason=\"retry_budget_exhausted\"} 1.0",
                        "retry_attempts_total{name=\"payments\",outcome=\"failure\"} 2.0",
                        "retry_attempt_count_bucket{name=\"payments\",outcome=\"failure\",le=\"2.0\"} 1",
                        "retry_attempt_count_sum{name=\"payments\",outcome=\"failure\"} 2.0",
                        "retry_latency_seconds_count{name=\"payments\",outcome=\"failure\"} 1",
                        "retry_delay_seconds_sum{name=\"payments\"} 5.0",
                        "retry_budget_refused_total{budget=\"bank\",name=\"payments\"} 1.0",
                        "circuit_breaker_state{breaker=\"bank\"} 2.0",
                        "circuit_breaker_transitions_total{breaker=\"bank\",to=\"open\"} 1.0")
                .anyMatch(line -> line.startsWith("retry_budget_tokens{budget=\"bank\"} 0."));
    }

    @Test
    void all_reasons_can_be_counted_side_by_side() {
        for (Reason reason : Reason.values()) {
            metrics.onGaveUp(new RetryListener.GaveUp("payments", reason, 1, 3, Failure.kind("down"), Duration.ZERO));
        }

        assertThat(registry.scrape()
                        .lines()
                        .filter(line -> line.startsWith("retry_calls_total{") && line.contains("failure")))
                .hasSize(Reason.values().length);
    }
}

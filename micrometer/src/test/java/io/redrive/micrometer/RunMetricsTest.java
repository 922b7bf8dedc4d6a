package io.redrive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.redrive.core.AdaptiveLimit;
import io.redrive.core.Failure;
import io.redrive.core.ManualTime;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.run.Run;
import io.redrive.items.store.InMemoryRunStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names that dashboards use. A changed name breaks a user's alert. */
final class RunMetricsTest {

    private final ManualTime time = new ManualTime();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void attempts_and_ends_of_samples_are_metered_by_pipeline_and_stage() {
        Stage<String, String> stage = Stage.of("llm", null, (text, context) -> switch (text) {
            case "flaky" ->
                context.attempt() == 1
                        ? StageOutcome.failed(Failure.status(429, Duration.ofSeconds(2)))
                        : StageOutcome.value(text);
            case "unwanted" -> StageOutcome.skip("unwanted");
            case "broken" -> StageOutcome.failed(Failure.kind("broken"));
            default -> StageOutcome.value(text);
        });
        stage = stage.concurrency(AdaptiveLimit.between(3, 64));
        Run run = Run.of(
                        ItemPipeline.named("summaries", Codec.text())
                                .stage(stage)
                                .build(),
                        new InMemoryRunStore())
                .from(SampleSource.of(List.of("good", "flaky", "unwanted", "broken")))
                .listener(RunMetrics.on(registry))
                .executor(Runnable::run)
                .time(time)
                .build();
        while (!run.isOver()) {
            if (!run.step()) {
                time.advance(Duration.ofMillis(100));
            }
        }

        assertThat(registry.scrape().lines())
                .contains(
                        "items_attempt_seconds_count{pipeline=\"summaries\",stage=\"llm\",status=\"success\"} 2",
                        "items_attempt_seconds_count{pipeline=\"summaries\",stage=\"llm\",status=\"retrying\"} 3",
                        "items_attempt_seconds_count{pipeline=\"summaries\",stage=\"llm\",status=\"failed\"} 1",
                        "items_attempt_seconds_count{pipeline=\"summaries\",stage=\"llm\",status=\"skipped\"} 1",
                        "items_ended_total{pipeline=\"summaries\",state=\"succeeded\"} 2.0",
                        "items_ended_total{pipeline=\"summaries\",state=\"skipped\"} 1.0",
                        "items_ended_total{pipeline=\"summaries\",state=\"dead\"} 1.0",
                        "items_dead_total{pipeline=\"summaries\",reason=\"max_attempts_exceeded\",stage=\"llm\"} 1.0",
                        "items_limit{pipeline=\"summaries\",stage=\"llm\"} 4.0",
                        "items_slowed_seconds_sum{pipeline=\"summaries\",stage=\"llm\"} 2.0");
    }
}

package io.redrive.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.micrometer.PipelineMetrics;
import io.redrive.micrometer.RetryMetrics;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters, where the application has a {@link MeterRegistry}. */
@AutoConfiguration(
        after = RedriveAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBean({MeterRegistry.class, RedriveSettings.class})
public final class RedriveMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    PipelineMetrics redrivePipelineMetrics(MeterRegistry registry, RedriveNames names, EventStore store, Time time) {
        return PipelineMetrics.on(registry, names.service(), store, time);
    }

    @Bean
    @ConditionalOnMissingBean
    RetryMetrics redriveRetryMetrics(MeterRegistry registry) {
        return RetryMetrics.on(registry);
    }

    /**
     * Gauges of breakers and budgets. Registered after the beans are created, because breakers need the metrics as a
     * listener.
     */
    @Bean
    SmartInitializingSingleton redriveGauges(RetryMetrics metrics, RedriveSettings settings) {
        return () -> {
            settings.breakers().values().forEach(metrics::watch);
            settings.budgets().values().forEach(metrics::watch);
        };
    }
}

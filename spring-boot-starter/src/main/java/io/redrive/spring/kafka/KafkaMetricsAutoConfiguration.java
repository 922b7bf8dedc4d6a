package io.redrive.spring.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.redrive.kafka.KafkaFlow;
import io.redrive.micrometer.KafkaMetrics;
import io.redrive.pipeline.Pipeline;
import io.redrive.spring.RedriveAutoConfiguration;
import io.redrive.spring.RedriveNames;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Meters of the flow, where the application has a {@link MeterRegistry}. */
@AutoConfiguration(
        after = {KafkaAutoConfiguration.class, RedriveAutoConfiguration.class},
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({KafkaFlow.class, MeterRegistry.class})
@ConditionalOnBean({MeterRegistry.class, KafkaSource.class})
public final class KafkaMetricsAutoConfiguration {

    /** Registered after the beans are created, because the flow opens with the pipeline. */
    @Bean
    SmartInitializingSingleton redriveKafkaGauges(
            MeterRegistry registry, RedriveNames names, KafkaSource source, Pipeline pipeline) {
        return () -> source.flow().ifPresent(flow -> KafkaMetrics.on(registry, names.service(), flow));
    }
}

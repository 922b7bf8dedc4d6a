package io.redrive.spring;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.redaction.Redaction;
import io.redrive.pipeline.Pipeline;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health, info and the actuator endpoint {@code redrive}, each where the application has the libraries for it. */
@AutoConfiguration(after = RedriveAutoConfiguration.class)
@ConditionalOnBean(RedriveSettings.class)
public final class RedriveActuatorAutoConfiguration {

    /** Health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class WithHealth {

        @Bean
        @ConditionalOnEnabledHealthIndicator("redrive")
        @ConditionalOnMissingBean(name = "redriveHealthIndicator")
        HealthIndicator redriveHealthIndicator(
                EventStore store, Pipeline pipeline, Time time, ObjectProvider<PipelineSource> sources) {
            return new RedriveHealth(
                    store, pipeline, time, sources.orderedStream().toList());
        }
    }

    /** Info and the endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class WithEndpoints {

        @Bean
        @ConditionalOnAvailableEndpoint(RedriveEndpoint.class)
        @ConditionalOnMissingBean
        RedriveEndpoint redriveEndpoint(
                EventStore store,
                Pipeline pipeline,
                PipelineFactory pipelines,
                RedriveSettings settings,
                Time time,
                Redaction redaction) {
            return new RedriveEndpoint(store, pipeline, pipelines, settings, time, redaction);
        }

        @Bean
        @ConditionalOnBean(RedriveEndpoint.class)
        @ConditionalOnMissingBean
        RedriveWebEndpoint redriveWebEndpoint(RedriveEndpoint endpoint) {
            return new RedriveWebEndpoint(endpoint);
        }

        @Bean
        @ConditionalOnEnabledInfoContributor("redrive")
        InfoContributor redriveInfo(RedriveNames names, EventStore store, PipelineFactory pipelines) {
            Map<String, Object> info = new LinkedHashMap<>();
            info.put("service", names.service());
            info.put("node", names.node());
            info.put("store", store.getClass().getSimpleName());
            info.put("handlers", pipelines.handlers());
            return builder -> builder.withDetail("redrive", info);
        }
    }
}

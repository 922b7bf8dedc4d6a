package io.redrive.spring;

import io.micrometer.observation.ObservationRegistry;
import io.redrive.micrometer.EventObservations;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Observations of events; with a tracer, spans. */
@AutoConfiguration(
        after = RedriveAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnBean({ObservationRegistry.class, RedriveSettings.class})
public final class RedriveObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    EventObservations redriveObservations(ObservationRegistry registry, RedriveNames names) {
        return EventObservations.on(registry, names.service());
    }
}

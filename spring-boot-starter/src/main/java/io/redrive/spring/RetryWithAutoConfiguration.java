package io.redrive.spring;

import io.micrometer.observation.ObservationRegistry;
import io.redrive.core.RetryListener;
import io.redrive.core.Time;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/** Retries of methods with {@link RetryWith}. */
@AutoConfiguration(after = RedriveAutoConfiguration.class)
@ConditionalOnProperty(name = "redrive.enabled", matchIfMissing = true)
public final class RetryWithAutoConfiguration {

    /** Static and with providers only: a post-processor must not cause the creation of further beans. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RetryWithPostProcessor redriveRetryWith(
            ObjectProvider<RedriveSettings> settings,
            ObjectProvider<RetryListener> listeners,
            ObjectProvider<Time> time,
            ObjectProvider<ObservationRegistry> observations) {
        return new RetryWithPostProcessor(SingletonSupplier.of(() -> new RetryMethodInterceptor.Dependencies(
                settings.getObject(),
                listeners.orderedStream().toList(),
                time.getObject(),
                observations.getIfUnique(() -> ObservationRegistry.NOOP))));
    }
}

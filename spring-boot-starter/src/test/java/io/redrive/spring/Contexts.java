package io.redrive.spring;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Application contexts with the auto-configuration, on a store in memory unless a test says otherwise. */
final class Contexts {

    private Contexts() {}

    static ApplicationContextRunner inMemory() {
        return bare().withPropertyValues("redrive.store.type=memory");
    }

    static ApplicationContextRunner bare() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        JacksonAutoConfiguration.class,
                        RedriveAutoConfiguration.class,
                        RetryWithAutoConfiguration.class,
                        RedriveMetricsAutoConfiguration.class,
                        RedriveObservationAutoConfiguration.class,
                        RedriveActuatorAutoConfiguration.class))
                .withPropertyValues("spring.application.name=orders");
    }
}

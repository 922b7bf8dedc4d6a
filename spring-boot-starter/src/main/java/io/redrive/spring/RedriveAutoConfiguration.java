package io.redrive.spring;

import io.redrive.core.RetryListener;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.redaction.Redaction;
import io.redrive.micrometer.EventObservations;
import io.redrive.pipeline.AttemptInterceptor;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineListener;
import io.redrive.pipeline.ThresholdsInForce;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** The store, the pipeline with the {@link OnEvent} methods, and the bus for publishing. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"
        })
@ConditionalOnProperty(name = "redrive.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RedriveProperties.class)
@Import({
    ConditionalBeans.WithJackson.class,
    ConditionalBeans.WithoutJackson.class,
    ConditionalBeans.WithDatabase.class,
    ConditionalBeans.WithTransactions.class,
    ConditionalBeans.WithoutTransactions.class
})
public final class RedriveAutoConfiguration {

    /** Checks the keys before any bean is bound, because an unknown key should be reported as unknown. */
    @Bean
    static BeanFactoryPostProcessor redriveSettingKeys(ConfigurableEnvironment environment) {
        return beans -> new SettingsSource(environment).check();
    }

    @Bean
    @ConditionalOnMissingBean
    Time redriveTime() {
        return Time.system();
    }

    @Bean
    @ConditionalOnMissingBean
    RedriveSettings redriveSettings(
            ConfigurableEnvironment environment, Time time, ObjectProvider<RetryListener> listeners) {
        return new RedriveSettings(
                new SettingsSource(environment), time, listeners.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    EventStore redriveStore(RedriveProperties properties, ObjectProvider<DataSource> source) {
        return StoreFactory.open(properties.store(), Optional.ofNullable(source.getIfUnique()));
    }

    /** For applications that show letters themselves, as well as for the pipeline and the actuator. */
    @Bean
    @ConditionalOnMissingBean
    Redaction redriveRedaction(RedriveProperties properties) {
        return properties.redaction().toRedaction();
    }

    /** For applications that show alerts of the whole store, as well as for the pipeline. */
    @Bean
    @ConditionalOnMissingBean
    ThresholdsInForce redriveAlertThresholds(RedriveProperties properties) {
        return properties.alerts().toThresholds();
    }

    @Bean
    RedriveNames redriveNames(RedriveProperties properties, Environment environment) {
        return RedriveNames.of(properties, environment);
    }

    @Bean
    HandlerMethods redriveHandlers(ConfigurableListableBeanFactory beans, Payloads payloads) {
        return new HandlerMethods(beans, payloads);
    }

    @Bean
    @ConditionalOnMissingBean
    Pipeline redrivePipeline(
            EventStore store,
            PipelineFactory pipelines,
            Redaction redaction,
            ThresholdsInForce thresholds,
            ObjectProvider<PipelineSource> sources,
            ObjectProvider<PipelineListener> listeners,
            ObjectProvider<AttemptInterceptor> interceptors,
            ObjectProvider<PipelineCustomizer> customizers) {
        boolean runs = pipelines.runs(customizers.stream().findAny().isPresent());
        EventStore fed = sources.stream()
                .filter(source -> runs)
                .findFirst()
                .map(source -> source.above(store))
                .orElse(store);
        Pipeline.Builder builder = pipelines.builderOn(fed).redaction(redaction).alerts(thresholds);
        listeners.orderedStream().forEach(builder::listener);
        interceptors.orderedStream().forEach(builder::interceptor);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return pipelines.build(builder);
    }

    @Bean
    PipelineFactory redrivePipelineFactory(
            RedriveProperties properties,
            RedriveSettings settings,
            RedriveNames names,
            HandlerMethods handlers,
            Time time) {
        return new PipelineFactory(properties, settings, names, handlers, time);
    }

    @Bean
    @ConditionalOnMissingBean
    PipelineLifecycle redrivePipelineLifecycle(
            Pipeline pipeline,
            RedriveProperties properties,
            PipelineFactory pipelines,
            ObjectProvider<PipelineCustomizer> customizers) {
        return new PipelineLifecycle(
                pipeline,
                pipelines.runs(customizers.stream().findAny().isPresent()),
                properties.pipeline().stopLimitOrDefault());
    }

    @Bean
    @ConditionalOnMissingBean
    EventBus redriveEventBus(
            RedriveNames names,
            Time time,
            Payloads payloads,
            ObjectProvider<EventObservations> observations,
            PublishRoute route) {
        EventObservations available = observations.getIfAvailable();
        // Around the route: an event published after the commit still belongs to the trace of its publisher.
        PublishRoute observed = available == null ? route : events -> available.publish(events, route::publish);
        return new StoreEventBus(names.service(), time, payloads, observed);
    }
}

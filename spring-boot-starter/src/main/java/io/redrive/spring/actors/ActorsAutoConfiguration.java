package io.redrive.spring.actors;

import io.micrometer.core.instrument.MeterRegistry;
import io.redrive.core.RetryListener;
import io.redrive.core.Time;
import io.redrive.micrometer.ActorRetryMetrics;
import io.redrive.micrometer.RetryMetrics;
import io.redrive.pekko.RetryBehavior;
import io.redrive.spring.ActorsProperties;
import io.redrive.spring.RedriveAutoConfiguration;
import io.redrive.spring.RedriveMetricsAutoConfiguration;
import io.redrive.spring.RedriveSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The actor system, and access to the actors of {@link SpringActor} beans. */
@AutoConfiguration(after = {RedriveAutoConfiguration.class, RedriveMetricsAutoConfiguration.class})
@ConditionalOnClass({ActorSystem.class, RetryBehavior.class})
@ConditionalOnBean(RedriveSettings.class)
@ConditionalOnProperty(name = "redrive.actors.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ActorsProperties.class)
public final class ActorsAutoConfiguration {

    /** Creates an actor system where the application has none. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(ActorSystem.class)
    static class OwnSystem {

        @Bean
        ActorSystem<Void> redriveActorSystem(ActorsProperties properties, Environment environment) {
            String name = properties.systemNameFor(environment.getProperty("spring.application.name", ""));
            return ActorSystem.create(Behaviors.empty(), name, PekkoSettings.in(environment));
        }

        @Bean
        ActorsLifecycle redriveActorsLifecycle(ActorSystem<Void> redriveActorSystem, ActorsProperties properties) {
            return new ActorsLifecycle(() -> {
                redriveActorSystem.terminate();
                redriveActorSystem
                        .getWhenTerminated()
                        .toCompletableFuture()
                        .get(properties.stopLimit().toNanos(), TimeUnit.NANOSECONDS);
            });
        }
    }

    @Bean
    @ConditionalOnMissingBean
    SpringActorSystem redriveActors(
            ActorSystem<?> system,
            AutowireCapableBeanFactory beans,
            RedriveSettings settings,
            ObjectProvider<RetryListener> listeners,
            ObjectProvider<MeterRegistry> registry,
            Time time,
            ActorsProperties properties) {
        RetryDependencies dependencies = RetryDependencies.of(settings, listeners(listeners, registry), time);
        return new SpringActorSystem(system, beans, dependencies, properties.askTimeout());
    }

    /** Stops only the actors of {@link SpringActor} beans: the actor system belongs to the application or to a test. */
    @Bean
    @ConditionalOnMissingBean
    ActorsLifecycle redriveActorsOnlyLifecycle(SpringActorSystem actors, ActorsProperties properties) {
        return new ActorsLifecycle(() -> actors.stopActors(properties.stopLimit()));
    }

    /**
     * The listeners of actors: all listener beans except the metrics of calls, which would count messages as calls. The
     * metrics of actors are no bean, because listener beans hear of calls.
     */
    private static List<RetryListener> listeners(
            ObjectProvider<RetryListener> listeners, ObjectProvider<MeterRegistry> registry) {
        List<RetryListener> all = new ArrayList<>(listeners
                .orderedStream()
                .filter(listener -> !(listener instanceof RetryMetrics))
                .toList());
        registry.ifUnique(unique -> all.add(ActorRetryMetrics.on(unique)));
        return List.copyOf(all);
    }
}

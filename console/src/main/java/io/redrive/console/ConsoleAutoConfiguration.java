package io.redrive.console;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.redaction.Redaction;
import io.redrive.items.store.RunStore;
import io.redrive.operations.Accounts;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.operations.WebhookRoutes;
import io.redrive.pipeline.AlertThresholds;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.ThresholdsInForce;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.support.RequestDataValueProcessor;

/** Mounts the console in a web application that has an event store. The application's own security decides who gets in. */
@AutoConfiguration(afterName = "io.redrive.spring.RedriveAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "redrive.console.enabled", matchIfMissing = true)
@ConditionalOnBean(EventStore.class)
@EnableConfigurationProperties(ConsoleProperties.class)
public final class ConsoleAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OperatorResolver redriveOperators() {
        return new PrincipalOperators();
    }

    @Bean
    LiveStreams redriveConsoleStreams(
            ConsoleProperties properties, EventStore store, ObjectProvider<RunStore> runs, ObjectProvider<Time> time) {
        Time clock = time.getIfAvailable(Time::system);
        Operator viewer = new Operator("console", Role.VIEWER, "live updates");
        return new LiveStreams(
                () -> {
                    RunStore there = runs.getIfAvailable();
                    var operations = Operations.of(store, viewer, clock);
                    return there == null ? operations : operations.withRuns(there);
                },
                () -> runs.getIfAvailable() != null,
                properties.streams(),
                clock);
    }

    @Bean
    RouterFunction<ServerResponse> redriveConsole(
            ConsoleProperties properties,
            EventStore store,
            OperatorResolver operators,
            LiveStreams streams,
            Environment environment,
            ObjectProvider<Time> time,
            ObjectProvider<Redaction> redaction,
            ObjectProvider<RequestDataValueProcessor> forms,
            ObjectProvider<WebhookRoutes> routes,
            ObjectProvider<Pipeline> pipelines,
            ObjectProvider<ThresholdsInForce> thresholds,
            ObjectProvider<Accounts> accounts,
            ObjectProvider<RunStore> runs) {
        Mount mount = new Mount(
                properties.prefix(),
                new Assets(),
                forms::getIfAvailable,
                routes::getIfAvailable,
                () -> policiesOf(pipelines.getIfUnique()),
                thresholds.getIfAvailable(() -> AlertThresholds.STANDARD),
                operators::signOutPath,
                accounts::getIfAvailable,
                runs::getIfAvailable,
                Mount.address(
                        environment.getProperty("redrive.store.path"), environment.getProperty("redrive.store.url")),
                streams.isOffered());
        return new ConsoleRoutes(
                        mount,
                        store,
                        operators,
                        time.getIfAvailable(Time::system),
                        redaction.getIfAvailable(() -> Redaction.NONE),
                        streams)
                .routes();
    }

    /** An application may show a store that other processes work on. */
    private static EventPolicies policiesOf(@Nullable Pipeline pipeline) {
        return pipeline == null ? EventPolicies.defaults() : pipeline.ownPolicies();
    }
}

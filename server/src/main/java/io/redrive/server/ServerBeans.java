package io.redrive.server;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.redaction.Redaction;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresRunStore;
import io.redrive.jdbc.SqliteRunStore;
import io.redrive.operations.Accounts;
import io.redrive.server.config.ConfigurationReload;
import io.redrive.server.config.ConfigurationWatch;
import io.redrive.server.config.CurrentProperties;
import io.redrive.server.config.LiveAlerts;
import io.redrive.server.config.LiveLetterRules;
import io.redrive.server.config.LivePolicies;
import io.redrive.server.config.LiveSettings;
import io.redrive.server.config.ServerProperties;
import io.redrive.server.webhook.Webhooks;
import io.redrive.spring.PipelineCustomizer;
import io.redrive.spring.RedriveProperties;
import io.redrive.spring.RedriveSettings;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/** The beans of a server beside the starter's: live settings, and the store of item runs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ServerProperties.class)
class ServerBeans {

    @Bean
    CurrentProperties currentProperties(ServerProperties properties) {
        return new CurrentProperties(properties);
    }

    /** For the console: who has a password. */
    @Bean
    Accounts accounts(CurrentProperties current) {
        return new Accounts() {
            @Override
            public List<Account> list() {
                return current.get().auth().users().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(user -> new Account(user.getKey(), user.getValue().role()))
                        .toList();
            }

            @Override
            public boolean isRequired() {
                return current.get().auth().isRequired();
            }
        };
    }

    @Bean
    LivePolicies livePolicies(RedriveSettings settings) {
        return new LivePolicies(settings);
    }

    @Bean
    LiveLetterRules liveLetterRules(RedriveProperties properties) {
        return new LiveLetterRules(properties);
    }

    /** In place of the starter's thresholds, which are fixed. */
    @Bean
    LiveAlerts liveAlerts(RedriveProperties properties) {
        return new LiveAlerts(properties);
    }

    /** In place of the starter's redaction, whose rules are fixed. */
    @Bean
    Redaction redaction(LiveLetterRules rules) {
        return Redaction.following(rules::redaction);
    }

    @Bean
    PipelineCustomizer followRetention(LiveLetterRules rules) {
        return pipeline -> pipeline.retention(rules::retention);
    }

    @Bean
    LiveRoutes liveRoutes(Webhooks webhooks) {
        return new LiveRoutes(webhooks);
    }

    @Bean
    ConfigurationReload configurationReload(
            ServerStart.StartedWith start,
            ConfigurableEnvironment environment,
            EventStore store,
            List<LiveSettings> live,
            Time time) {
        return new ConfigurationReload(
                start.configuration(), start.file().orElse(null), environment, store, live, time);
    }

    @Bean
    ConfigurationWatch configurationWatch(ConfigurationReload reload) {
        return new ConfigurationWatch(reload);
    }

    /** Item runs lie in the same database as events. */
    @Bean
    RunStore runStore(RedriveProperties properties, EventStore opened) {
        String url = properties.store().url();
        return url == null
                ? SqliteRunStore.open(properties.store().path())
                : PostgresRunStore.open(
                        url,
                        PostgresOptions.DEFAULT.withSchema(properties.store().schema()));
    }
}

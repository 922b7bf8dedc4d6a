package io.redrive.server.webhook;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.operations.WebhookRoutes;
import io.redrive.spring.PipelineCustomizer;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The beans of webhooks: settings, and the parts that deliver. */
@Configuration(proxyBeanMethods = false)
class WebhookConfiguration {

    @Bean
    @ConditionalOnMissingBean
    WebhookSettings webhookSettings(Environment environment) {
        return BoundWebhooks.read(environment);
    }

    @Bean
    Webhooks webhooks(EventStore store, WebhookSettings settings, Time time) {
        return new Webhooks(store, settings, Webhooks.Resources.ofProcess(time));
    }

    @Bean
    WebhookRoutes webhookRoutes(Webhooks webhooks) {
        return webhooks.routes();
    }

    @Bean
    PipelineCustomizer webhookHandlers(Webhooks webhooks) {
        return webhooks::addTo;
    }
}

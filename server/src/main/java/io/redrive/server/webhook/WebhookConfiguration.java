package io.redrive.server.webhook;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.operations.WebhookRoutes;
import io.redrive.spring.PipelineCustomizer;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/** The beans of webhooks: settings, the parts that deliver, and the rule that a receiver's proof is the signature. */
@Configuration(proxyBeanMethods = false)
class WebhookConfiguration {

    @Bean
    @ConditionalOnMissingBean
    WebhookSettings webhookSettings(Environment environment) {
        Map<String, Object> sections = new HashMap<>();
        for (String section : WebhookSettings.SECTIONS) {
            Binder.get(environment)
                    .bind("redrive." + section, Bindable.mapOf(String.class, Object.class))
                    .ifBound(value -> sections.put(section, value));
        }
        return WebhookSettings.read(sections);
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

    @Bean
    @Order(1)
    SecurityFilterChain receiverSecurity(HttpSecurity http) {
        return http.securityMatcher("/in/**")
                .csrf(AbstractHttpConfigurer::disable)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }
}

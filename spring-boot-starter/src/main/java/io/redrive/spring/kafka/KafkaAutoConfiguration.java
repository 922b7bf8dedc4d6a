package io.redrive.spring.kafka;

import io.redrive.core.SettingException;
import io.redrive.events.EventStore;
import io.redrive.kafka.EventMapping;
import io.redrive.kafka.KafkaBus;
import io.redrive.kafka.KafkaFlow;
import io.redrive.kafka.LetterHeaders;
import io.redrive.kafka.LetterTopic;
import io.redrive.kafka.RecordMapping;
import io.redrive.pipeline.Pipeline;
import io.redrive.spring.KafkaProperties;
import io.redrive.spring.PipelineCustomizer;
import io.redrive.spring.RedriveAutoConfiguration;
import io.redrive.spring.RedriveNames;
import io.redrive.spring.RedriveProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Topics of Kafka, where the application has the module {@code redrive-kafka} and sets {@code redrive.kafka.*}. */
@AutoConfiguration(before = RedriveAutoConfiguration.class)
@ConditionalOnClass(KafkaFlow.class)
@ConditionalOnProperty(
        name = {"redrive.enabled", "redrive.kafka.enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(KafkaProperties.class)
public final class KafkaAutoConfiguration {

    /** Names records by the setting, or by their topics. A bean of the application replaces this mapping. */
    @Bean
    @ConditionalOnMissingBean
    RecordMapping redriveRecordMapping(KafkaProperties properties) {
        String name = properties.eventName();
        try {
            return name == null ? RecordMapping.standard() : RecordMapping.named(name);
        } catch (IllegalArgumentException e) {
            throw SettingException.because("redrive.kafka.event-name", String.valueOf(name), e);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    EventMapping redriveEventMapping() {
        return EventMapping.cloudEvents();
    }

    @Bean
    @ConditionalOnMissingBean
    KafkaSource redriveKafkaSource(
            KafkaProperties properties,
            RedriveNames names,
            RecordMapping mapping,
            ObjectProvider<KafkaFlowCustomizer> customizers) {
        properties.check();
        return new KafkaSource(
                properties,
                names.service(),
                mapping,
                flow -> customizers.orderedStream().forEach(each -> each.customize(flow)));
    }

    /** Topics without a handler would be a mistake that nobody sees. */
    @Bean
    SmartInitializingSingleton redriveKafkaHandlers(
            KafkaProperties properties, KafkaSource source, RedriveProperties redrive, Pipeline pipeline) {
        return () -> {
            if (properties.hasTopics()
                    && source.flow().isEmpty()
                    && redrive.pipeline().enabled() == null) {
                String pattern = properties.topicPattern();
                throw SettingException.of(
                        pattern == null ? "redrive.kafka.topics" : "redrive.kafka.topic-pattern",
                        "needs a handler: add a method with @OnEvent, or set redrive.pipeline.enabled to false",
                        pattern == null ? String.join(", ", properties.topics()) : pattern);
            }
        };
    }

    /** Sends events to topics; made when a bean, a relay or the letters need it. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    KafkaBus redriveKafkaBus(KafkaProperties properties, EventMapping mapping) {
        properties.check();
        KafkaBus.Builder builder =
                KafkaBus.builder().bootstrap(properties.bootstrap()).mapping(mapping);
        properties.client().forEach(builder::client);
        try {
            return builder.open();
        } catch (IllegalArgumentException e) {
            throw SettingException.because(
                    "redrive.kafka.client", properties.client().toString(), e);
        }
    }

    /** A handler of the application and a relay cannot have the same pattern; the pipeline refuses the second. */
    @Bean
    @ConditionalOnRelays
    PipelineCustomizer redriveKafkaRelays(KafkaProperties properties, ObjectProvider<KafkaBus> bus) {
        properties.check();
        return pipeline -> properties
                .relays()
                .forEach((pattern, topic) ->
                        bus.getObject().relay(pattern).to(topic).on(pipeline));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("redrive.kafka.letters.enabled")
    LetterTopic redriveLetterTopic(
            KafkaProperties properties, RedriveNames names, EventStore store, ObjectProvider<KafkaBus> bus) {
        properties.check();
        KafkaProperties.LetterSettings letters = properties.letters();
        String group = properties.groupId();
        LetterHeaders headers = LetterHeaders.standard().withGroup(group == null ? names.service() : group);
        LetterTopic.Builder builder = LetterTopic.of(store, bus.getObject())
                .prefix(letters.prefix())
                .headers(letters.springNames() ? headers.withSpringNames() : headers);
        if (letters.topic() != null) {
            builder.topic(letters.topic());
        }
        return builder.start();
    }
}

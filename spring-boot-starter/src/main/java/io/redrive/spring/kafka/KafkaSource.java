package io.redrive.spring.kafka;

import io.redrive.core.SettingException;
import io.redrive.events.EventStore;
import io.redrive.events.flow.FlowReport;
import io.redrive.kafka.KafkaFlow;
import io.redrive.kafka.RecordMapping;
import io.redrive.spring.KafkaProperties;
import io.redrive.spring.PipelineSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The flow of the application: opened with the pipeline, closed after the pipeline and before the store. Thread-safe.
 */
public final class KafkaSource implements PipelineSource, AutoCloseable {

    private static final String PREFIX = "redrive.kafka";

    private final KafkaProperties properties;
    private final String service;
    private final RecordMapping mapping;
    private final Consumer<KafkaFlow.Builder> customizer;
    private Optional<KafkaFlow> flow = Optional.empty();

    KafkaSource(
            KafkaProperties properties, String service, RecordMapping mapping, Consumer<KafkaFlow.Builder> customizer) {
        this.properties = properties;
        this.service = service;
        this.mapping = mapping;
        this.customizer = customizer;
    }

    @Override
    public synchronized EventStore above(EventStore store) {
        if (!properties.hasTopics()) {
            return store;
        }
        KafkaFlow.Builder builder = builderOn(store);
        customizer.accept(builder);
        try {
            KafkaFlow opened = builder.open();
            flow = Optional.of(opened);
            return opened;
        } catch (IllegalArgumentException e) {
            // The keys have been checked: a setting of Kafka's client, or of a customizer, is wrong.
            throw SettingException.because(properties.client().isEmpty() ? PREFIX : PREFIX + ".client", "", e);
        }
    }

    private KafkaFlow.Builder builderOn(EventStore store) {
        KafkaFlow.Builder builder = KafkaFlow.on(store);
        properties.client().forEach(builder::client);
        builder.bootstrap(properties.bootstrap())
                .group(properties.groupId() == null ? service : properties.groupId())
                .mapping(mapping)
                .brake(properties.rowsPerSecond(), properties.maxWaiting());
        if (properties.topicPattern() != null) {
            builder.topicPattern(properties.topicPattern());
        } else {
            builder.topics(properties.topics().toArray(String[]::new));
        }
        KafkaProperties.NewTopics missing = properties.createTopics();
        if (missing != null) {
            builder.createTopics(missing.partitions(), missing.replicas());
        }
        if (properties.orderedByKey()) {
            builder.orderedByKey();
        }
        if (properties.holdUpTo() != null) {
            builder.holdUpTo(properties.holdUpTo());
        }
        if (properties.maxRecords() != null) {
            builder.maxRecords(properties.maxRecords());
        }
        if (properties.maxBytes() != null) {
            builder.maxBytes(properties.maxBytes().toBytes());
        }
        return builder;
    }

    /** Returns the flow; empty while this process handles no events. */
    public synchronized Optional<KafkaFlow> flow() {
        return flow;
    }

    @Override
    public Optional<FlowReport> report() {
        return flow().flatMap(KafkaFlow::flow);
    }

    @Override
    public synchronized void close() {
        flow.ifPresent(KafkaFlow::close);
    }
}

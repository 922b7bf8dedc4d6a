package io.redrive.spring.kafka;

import io.redrive.kafka.KafkaFlow;

/**
 * Changes the flow of the application before it opens, for settings that have no key. Called when {@code redrive.kafka.topics} or
 * {@code redrive.kafka.topic-pattern} is set and this process handles events.
 */
@FunctionalInterface
public interface KafkaFlowCustomizer {

    /** Changes the builder of the flow. */
    void customize(KafkaFlow.Builder flow);
}

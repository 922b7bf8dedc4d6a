package io.redrive.spring.kafka;

import io.redrive.kafka.KafkaFlow;

/** Changes the flow of the application before it opens, for settings that have no key. */
@FunctionalInterface
public interface KafkaFlowCustomizer {

    /** Changes the builder of the flow. */
    void customize(KafkaFlow.Builder flow);
}

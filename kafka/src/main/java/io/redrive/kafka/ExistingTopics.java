package io.redrive.kafka;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Checks that a topic exists before it is used. */
final class ExistingTopics {

    private ExistingTopics() {}

    /**
     * Opens a client for questions.
     *
     * @throws IllegalArgumentException if Kafka's client refuses its settings
     */
    static Admin open(Map<String, Object> client) {
        try {
            return Admin.create(client);
        } catch (KafkaException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new IllegalArgumentException("Kafka's client refuses its settings: " + cause.getMessage(), e);
        }
    }

    /**
     * Refuses a topic that does not exist.
     *
     * @throws IllegalArgumentException if Kafka's client refuses its settings
     * @throws IllegalStateException naming the topic and the remedy
     * @throws KafkaException if no broker answers
     */
    static void require(Map<String, Object> client, String topic) {
        try (Admin admin = open(client)) {
            ClusterAnswer.of(admin.describeTopics(List.of(topic)).allTopicNames(), client);
        } catch (KafkaException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new IllegalStateException(
                        "the topic must exist, missing: " + topic + "; create the topic, or correct its name", e);
            }
            throw e;
        }
    }
}

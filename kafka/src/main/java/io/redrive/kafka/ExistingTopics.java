package io.redrive.kafka;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Checks that a topic exists before it is used. */
final class ExistingTopics {

    private static final long ANSWER_SECONDS = 30;

    private ExistingTopics() {}

    private static Admin open(Map<String, Object> client) {
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
     * @throws KafkaException if the cluster does not answer
     */
    static void require(Map<String, Object> client, String topic) {
        try (Admin admin = open(client)) {
            admin.describeTopics(List.of(topic)).allTopicNames().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the cluster was asked", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new IllegalStateException(
                        "the topic must exist, missing: " + topic + "; create the topic, or correct its name", e);
            }
            throw new KafkaException("the cluster refused topic " + topic + ": " + e.getMessage(), e);
        } catch (TimeoutException e) {
            throw new KafkaException(
                    "the cluster did not answer within " + ANSWER_SECONDS + " s; check bootstrap servers and network",
                    e);
        }
    }
}

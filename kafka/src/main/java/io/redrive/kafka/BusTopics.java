package io.redrive.kafka;

import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The topics of a bus. Brokers create an unknown topic at the question of a producer, as their default says, and a producer cannot ask
 * without: a misspelled name would be a new topic with one partition. Topics are asked for before the producer does, each once.
 * Thread-safe.
 */
final class BusTopics {

    private final BusSettings settings;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    BusTopics(BusSettings settings) {
        this.settings = settings;
    }

    /** Returns why nothing may be sent to a topic; empty for a topic that exists, or when the cluster does not tell. */
    Optional<KafkaException> missing(String topic) {
        if (settings.brokersCreateTopics() || known.contains(topic)) {
            return Optional.empty();
        }
        TreeMap<String, Object> client = new TreeMap<>(settings.client());
        String limit = String.valueOf(settings.producer().get(ProducerConfig.MAX_BLOCK_MS_CONFIG));
        client.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, limit);
        client.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, limit);
        try {
            ExistingTopics.require(client, topic);
            known.add(topic);
            return Optional.empty();
        } catch (IllegalStateException e) {
            return e.getCause() instanceof KafkaException
                    ? Optional.of(new UnknownTopicOrPartitionException(
                            e.getMessage() + ", or open the bus with brokersCreateTopics()"))
                    : Optional.empty();
        } catch (KafkaException | IllegalArgumentException e) {
            // The producer gets the same answer and tells it.
            return Optional.empty();
        }
    }
}

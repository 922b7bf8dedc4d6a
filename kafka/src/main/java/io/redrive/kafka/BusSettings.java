package io.redrive.kafka;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The settings of a bus, checked: nothing weaker than acknowledged by all replicas and written once. */
record BusSettings(Map<String, Object> client, EventMapping mapping, boolean brokersCreateTopics) {

    /** The default time within which a record is acknowledged or reported as failed. */
    private static final int DELIVERY_MS = 10_000;
    /** The default time for one request, and for finding the brokers of a topic. */
    private static final int REQUEST_MS = 5_000;

    BusSettings {
        client = Map.copyOf(client);
        if (!client.containsKey(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new IllegalArgumentException("bootstrap servers are missing; add bootstrap(\"localhost:9092\")");
        }
        require(
                client,
                ProducerConfig.ACKS_CONFIG,
                List.of("all", "-1"),
                "a record counts as sent when all replicas in sync have it");
        require(
                client,
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                List.of("true"),
                "repeated requests must neither write a record twice nor change the order");
        refuse(client, ProducerConfig.RETRIES_CONFIG, "the client repeats requests until delivery.timeout.ms is over");
        refuse(client, ProducerConfig.TRANSACTIONAL_ID_CONFIG, "a bus opens no transactions");
        refuse(client, ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, "a bus sends bytes; encode them in the payload");
        refuse(client, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, "a bus sends bytes; encode them in the payload");
    }

    private static void require(Map<String, Object> client, String key, List<String> allowed, String rule) {
        Object value = client.getOrDefault(key, allowed.get(0));
        if (!allowed.contains(String.valueOf(value).toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("client setting " + key + " must be " + allowed.get(0) + ", got " + value
                    + ": " + rule + "; remove the setting");
        }
    }

    private static void refuse(Map<String, Object> client, String key, String rule) {
        if (client.containsKey(key)) {
            throw new IllegalArgumentException(
                    "client setting " + key + " must not be set, got " + client.get(key) + ": " + rule);
        }
    }

    /** Returns the settings of the producer: the user's settings and the settings of the bus. */
    Map<String, Object> producer() {
        Map<String, Object> settings = new TreeMap<>(client);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MS);
        settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, REQUEST_MS);
        settings.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MS);
        return settings;
    }
}

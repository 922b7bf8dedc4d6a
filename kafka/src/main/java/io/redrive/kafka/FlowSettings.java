package io.redrive.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** The settings of a flow, checked. */
record FlowSettings(
        String group,
        List<String> topics,
        RecordMapping mapping,
        boolean orderedByKey,
        Duration longestHold,
        int maxRecords,
        long maxBytes,
        int rowsPerSecond,
        long maxBacklog,
        Map<String, Object> client) {

    private static final int MAX_GROUP = 200;
    /** The default of Kafka's consumer. */
    private static final int DEFAULT_SESSION_MS = 45_000;

    FlowSettings {
        if (group.isBlank() || group.length() > MAX_GROUP) {
            throw new IllegalArgumentException(
                    "group must be 1 to " + MAX_GROUP + " characters, got " + group.length() + " characters");
        }
        topics = List.copyOf(topics);
        if (topics.isEmpty()) {
            throw new IllegalArgumentException("topics must name at least one topic; add topics(\"orders\")");
        }
        if (longestHold.isNegative()) {
            throw new IllegalArgumentException("holdUpTo must not be negative, got " + longestHold);
        }
        atLeastOne("maxRecords", maxRecords);
        atLeastOne("maxBytes", maxBytes);
        atLeastOne("rowsPerSecond", rowsPerSecond);
        atLeastOne("maxBacklog", maxBacklog);
        client = Map.copyOf(client);
        refuse(client, ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "the flow commits what is finished");
        refuse(client, ConsumerConfig.GROUP_ID_CONFIG, "use group(…)");
        refuse(
                client,
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                "the flow reads bytes; decode them in the handler");
        refuse(
                client,
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                "the flow reads bytes; decode them in the handler");
        if (!client.containsKey(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new IllegalArgumentException("bootstrap servers are missing; add bootstrap(\"localhost:9092\")");
        }
    }

    /** Returns how long a member of the group may be silent. */
    Duration session() {
        Object millis = client.getOrDefault(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, DEFAULT_SESSION_MS);
        return Duration.ofMillis(Long.parseLong(String.valueOf(millis)));
    }

    private static void atLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, got " + value);
        }
    }

    private static void refuse(Map<String, Object> client, String key, String remedy) {
        if (client.containsKey(key)) {
            throw new IllegalArgumentException("client setting " + key + " must not be set: " + remedy);
        }
    }

    /** Returns the settings of the consumer: the user's settings and the settings of the flow. */
    Map<String, Object> consumer() {
        Map<String, Object> settings = new TreeMap<>(client);
        settings.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        return settings;
    }
}

package io.redrive.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The settings of a flow, checked.
 *
 * @param pattern matches the names of further topics, also of topics that are created later; empty for no pattern
 * @param newTopics how missing topics are created; empty when missing topics are refused
 * @param session how long a member of the group may be silent
 */
record FlowSettings(
        String group,
        List<String> topics,
        Optional<Pattern> pattern,
        Optional<NewTopics> newTopics,
        RecordMapping mapping,
        boolean orderedByKey,
        Duration longestHold,
        int maxRecords,
        long maxBytes,
        int rowsPerSecond,
        long maxBacklog,
        Map<String, Object> client,
        Duration session) {

    /** The shape of topics that the flow creates. */
    record NewTopics(int partitions, short replicas) {
        NewTopics {
            atLeastOne("partitions", partitions);
            atLeastOne("replicas", replicas);
        }
    }

    /** How long a partition that goes to another member waits for handlers. */
    static final Duration LONGEST_RETURN = Duration.ofSeconds(5);

    /** The longest time of a request for records at a broker; see {@link PartitionCare}. The default of Kafka is 500 ms. */
    static final Duration LONGEST_FETCH = Duration.ofMillis(100);

    private static final int MAX_GROUP = 200;
    /** Each poll has a fixed cost, which more records share. */
    private static final int POLLED_AT_ONCE = 2_000;
    /** The default of Kafka's consumer. */
    private static final int DEFAULT_SESSION_MS = 45_000;

    FlowSettings {
        if (group.isBlank() || group.length() > MAX_GROUP) {
            throw new IllegalArgumentException("group must be 1 to " + MAX_GROUP + " characters, got " + group.length()
                    + " characters; set group(\"billing\"), the same for all processes that share the records");
        }
        topics = List.copyOf(topics);
        if (topics.isEmpty() == pattern.isEmpty()) {
            throw new IllegalArgumentException("a flow must have topics or a pattern of topics, got "
                    + (topics.isEmpty() ? "neither" : "both")
                    + "; set topics(\"orders\") or topicPattern(\"orders-.*\")");
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

    /** The session of a group whose settings the client may not read: the default of brokers. */
    static Duration defaultSession() {
        return Duration.ofMillis(DEFAULT_SESSION_MS);
    }

    /** Returns the session timeout that the client's settings ask for. */
    static Duration sessionOf(Map<String, Object> client) {
        Object millis = client.getOrDefault(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, DEFAULT_SESSION_MS);
        try {
            return Duration.ofMillis(Integer.parseInt(String.valueOf(millis).strip()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "client setting " + ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG
                            + " must be a number of milliseconds without a unit, got '" + millis
                            + "'; set 45000 for 45 seconds",
                    e);
        }
    }

    /** Returns true when the broker decides about session and assignment (KIP-848). */
    boolean usesConsumerProtocol() {
        return "consumer"
                .equalsIgnoreCase(String.valueOf(client.getOrDefault(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic")));
    }

    FlowSettings withSession(Duration value) {
        return new FlowSettings(
                group,
                topics,
                pattern,
                newTopics,
                mapping,
                orderedByKey,
                longestHold,
                maxRecords,
                maxBytes,
                rowsPerSecond,
                maxBacklog,
                client,
                value);
    }

    /** Returns the topics, or the pattern, for messages. */
    String sources() {
        return pattern.map(each -> "that match " + each.pattern()).orElseGet(() -> String.join(", ", topics));
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
        settings.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLLED_AT_ONCE);
        settings.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) LONGEST_FETCH.toMillis());
        // A deleted topic would come back, empty and with the defaults of the broker.
        settings.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        return settings;
    }

    /**
     * Refuses settings that Kafka's consumer refuses: the thread of the intake would get the refusal each second.
     *
     * @throws IllegalArgumentException naming the setting, the rule and the value
     */
    void requireValidConsumer() {
        Map<String, Object> settings = new TreeMap<>(consumer());
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        try {
            new ConsumerConfig(settings);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(
                    "Kafka's consumer refuses its settings: " + e.getMessage() + "; correct client(…)", e);
        }
    }

    Consumer<byte[], byte[]> newConsumer() {
        return new KafkaConsumer<>(consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}

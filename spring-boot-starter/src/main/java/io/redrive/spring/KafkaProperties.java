package io.redrive.spring;

import io.redrive.core.SettingException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of topics of Kafka that feed the pipeline, and of topics to which events and dead letters are sent.
 *
 * @param enabled whether this process uses Kafka
 * @param bootstrapServers addresses of brokers, such as localhost:9092
 * @param groupId the consumer group; the name of the service by default
 * @param topics topics whose records the pipeline handles
 * @param topicPattern regular expression for topics, in place of topics; also topics that are created later
 * @param createTopics topics that are created at the start when they are missing
 * @param eventName name of the events of records that are no CloudEvents; the topic of the record by default
 * @param orderedByKey whether records of the same partition and key are handled one after another
 * @param holdUpTo the longest wait that is held in memory; a longer wait is a row of the store
 * @param maxRecords open records of a partition above which no further records are fetched
 * @param maxBytes bytes of all open records above which no further records are fetched
 * @param rowsPerSecond rows per second that this process adds to the store for events that wait
 * @param maxWaiting waiting events in the store above which failed records are held in memory
 * @param relays topics by name pattern, with the pattern in brackets: events of the store that are sent to a topic
 * @param letters dead letters on topics
 * @param client settings of Kafka's clients, such as security.protocol
 */
@ConfigurationProperties("redrive.kafka")
public record KafkaProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<String> bootstrapServers,
        @Nullable String groupId,
        @DefaultValue List<String> topics,
        @Nullable String topicPattern,
        @Nullable NewTopics createTopics,
        @Nullable String eventName,
        @DefaultValue("false") boolean orderedByKey,
        @Nullable Duration holdUpTo,
        @Nullable Integer maxRecords,
        @Nullable DataSize maxBytes,
        @DefaultValue("500") int rowsPerSecond,
        @DefaultValue("100000") long maxWaiting,
        @DefaultValue Map<String, String> relays,
        @DefaultValue LetterSettings letters,
        @DefaultValue Map<String, String> client) {

    private static final String PREFIX = "redrive.kafka.";
    private static final String SESSION = "session.timeout.ms";
    private static final int MAX_GROUP = 200;

    /** Settings of clients that have a key of their own, or none. */
    private static final Map<String, String> REFUSED = Map.of(
            "bootstrap.servers", "is set with redrive.kafka.bootstrap-servers",
            "group.id", "is set with redrive.kafka.group-id",
            "enable.auto.commit", "must not be set: the flow commits what is finished",
            "key.deserializer", "must not be set: records are read as bytes",
            "value.deserializer", "must not be set: records are read as bytes",
            "key.serializer", "must not be set: records are sent as bytes",
            "value.serializer", "must not be set: records are sent as bytes");

    /**
     * The shape of topics that the flow creates.
     *
     * @param partitions partitions of a topic
     * @param replicas replicas of a partition
     */
    public record NewTopics(
            @DefaultValue("1") int partitions,
            @DefaultValue("1") int replicas) {}

    /**
     * Dead letters on topics.
     *
     * @param enabled whether new dead letters are sent to topics too
     * @param prefix what stands before the topic of the record
     * @param topic one topic for all letters, in place of a prefix
     * @param springNames whether the headers of Spring Kafka are written too
     */
    public record LetterSettings(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("dlq.") String prefix,
            @Nullable String topic,
            @DefaultValue("false") boolean springNames) {}

    /** Returns the addresses of brokers in one text. */
    public String bootstrap() {
        return String.join(",", bootstrapServers);
    }

    /** Returns whether records of topics are events of the pipeline. */
    public boolean hasTopics() {
        return !topics.isEmpty() || topicPattern != null;
    }

    /**
     * Refuses settings that contradict each other, and values out of range.
     *
     * @throws SettingException naming the key, the rule and the value
     */
    public void check() {
        client.forEach((key, value) -> {
            String rule = REFUSED.get(key);
            if (rule != null) {
                throw SettingException.of(PREFIX + "client." + key, rule, value);
            }
        });
        checkSource();
        checkNumbers();
        if (!letters.enabled() && (letters.topic() != null || letters.springNames())) {
            throw SettingException.of(
                    PREFIX + "letters.enabled", "must be true for the other settings of letters", "false");
        }
        if (letters.enabled() && letters.topic() == null && letters.prefix().isBlank()) {
            throw SettingException.of(
                    PREFIX + "letters.prefix",
                    "must not be empty: letters would go back to the topics of their records",
                    letters.prefix());
        }
    }

    private void checkSource() {
        String user = !topics.isEmpty()
                ? "topics"
                : topicPattern != null
                        ? "topic-pattern"
                        : !relays.isEmpty() ? "relays" : letters.enabled() ? "letters.enabled" : "";
        if (bootstrapServers.isEmpty() && !user.isEmpty()) {
            throw SettingException.of(
                    PREFIX + "bootstrap-servers", "must be set, because " + PREFIX + user + " is set", "");
        }
        if (!topics.isEmpty() && topicPattern != null) {
            throw SettingException.of(
                    PREFIX + "topic-pattern",
                    "must be missing beside " + PREFIX + "topics; add the topics to the pattern, as in orders|bills-.*",
                    topicPattern);
        }
        if (topicPattern != null) {
            try {
                Pattern.compile(topicPattern);
            } catch (PatternSyntaxException e) {
                throw SettingException.of(
                        PREFIX + "topic-pattern", "must be a regular expression: " + e.getDescription(), topicPattern);
            }
        }
        if (!hasTopics() && (groupId != null || eventName != null || orderedByKey || createTopics != null)) {
            String unused = groupId != null
                    ? "group-id"
                    : eventName != null ? "event-name" : orderedByKey ? "ordered-by-key" : "create-topics";
            throw SettingException.of(
                    PREFIX + "topics", "must name a topic, because " + PREFIX + unused + " is set", "");
        }
        if (createTopics != null && topicPattern != null) {
            throw SettingException.of(
                    PREFIX + "create-topics",
                    "must be missing beside " + PREFIX + "topic-pattern, which names no topic",
                    "");
        }
    }

    private void checkNumbers() {
        if (groupId != null && (groupId.isBlank() || groupId.length() > MAX_GROUP)) {
            throw SettingException.of(PREFIX + "group-id", "must be 1 to " + MAX_GROUP + " characters", groupId);
        }
        if (createTopics != null) {
            checkAtLeastOne("create-topics.partitions", createTopics.partitions());
            checkAtLeastOne("create-topics.replicas", createTopics.replicas());
            if (createTopics.replicas() > Short.MAX_VALUE) {
                throw SettingException.of(
                        PREFIX + "create-topics.replicas",
                        "must be at most " + Short.MAX_VALUE,
                        String.valueOf(createTopics.replicas()));
            }
        }
        if (holdUpTo != null && holdUpTo.isNegative()) {
            throw SettingException.of(PREFIX + "hold-up-to", "must not be negative", holdUpTo.toString());
        }
        checkAtLeastOne("max-records", maxRecords == null ? 1 : maxRecords);
        checkAtLeastOne("max-bytes", maxBytes == null ? 1 : maxBytes.toBytes());
        checkAtLeastOne("rows-per-second", rowsPerSecond);
        checkAtLeastOne("max-waiting", maxWaiting);
        String session = client.get(SESSION);
        if (session != null && !session.strip().matches("\\d{1,9}")) {
            throw SettingException.of(
                    PREFIX + "client." + SESSION, "must be a number of milliseconds without a unit, as 45000", session);
        }
    }

    private static void checkAtLeastOne(String key, long value) {
        if (value < 1) {
            throw SettingException.of(PREFIX + key, "must be at least 1", String.valueOf(value));
        }
    }
}

package io.redrive.spring;

import io.redrive.core.SettingException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    /**
     * Refuses settings that contradict each other.
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
        String user = !topics.isEmpty()
                ? "topics"
                : !relays.isEmpty() ? "relays" : letters.enabled() ? "letters.enabled" : "";
        if (bootstrapServers.isEmpty() && !user.isEmpty()) {
            throw SettingException.of(
                    PREFIX + "bootstrap-servers", "must be set, because " + PREFIX + user + " is set", "");
        }
        if (topics.isEmpty() && (groupId != null || eventName != null || orderedByKey)) {
            String unused = groupId != null ? "group-id" : eventName != null ? "event-name" : "ordered-by-key";
            throw SettingException.of(
                    PREFIX + "topics", "must name a topic, because " + PREFIX + unused + " is set", "");
        }
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
}

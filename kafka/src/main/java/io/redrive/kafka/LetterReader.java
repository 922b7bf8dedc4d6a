package io.redrive.kafka;

import io.redrive.events.DeadLetter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads dead letters that other systems, or another store, left in topics, in order to import them: Kafka's share groups (KIP-1191)
 * and Redrive, Kafka Streams, Kafka Connect, Spring Kafka, SmallRye, and topics without headers. A letter has the record as it was
 * before it failed, so that a redrive gives it to a handler of its name, or with {@link Relay.Choice#back} to its topic.
 *
 * <p>A reader begins where {@link #commit} of the same group left off and ends where the topics ended when it was opened. Importing
 * the same place again changes nothing while its letter exists: the place is the id of the event. A record that Redrive wrote has the id that
 * its event had, so a store does not import its own letters. Used by one thread.
 */
public final class LetterReader implements AutoCloseable {

    /** The group under which a reader remembers its place unless another is set. */
    public static final String GROUP = "redrive-dlq-import";

    /** A page ends above this many bytes of values. */
    private static final long PAGE_BYTES = 8L << 20;

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final FoundLetters found;
    private final Map<TopicPartition, Long> ends;
    private final Deque<ConsumerRecord<byte[], byte[]>> fetched = new ArrayDeque<>();
    private final Map<TopicPartition, Long> read = new HashMap<>();

    private LetterReader(Builder settings) {
        found = new FoundLetters(settings.mapping, settings.maxPayload);
        consumer = new KafkaConsumer<>(settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        try {
            List<TopicPartition> partitions = new ArrayList<>();
            for (String topic : settings.topics) {
                consumer.partitionsFor(topic)
                        .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
            }
            consumer.assign(partitions);
            if (settings.fromBeginning) {
                consumer.seekToBeginning(partitions);
            }
            ends = consumer.endOffsets(partitions);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    /** Returns a builder for a reader. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the next letters; an empty list at the end of the topics.
     *
     * @param limit the most letters to return
     * @throws KafkaException if the brokers stay silent for 30 s
     */
    public List<DeadLetter> next(int limit) {
        List<DeadLetter> letters = new ArrayList<>();
        long silent = 0;
        long bytes = 0;
        while (letters.size() < limit && bytes < PAGE_BYTES && (!fetched.isEmpty() || isBehind())) {
            if (fetched.isEmpty()) {
                consumer.poll(POLL).forEach(fetched::add);
                silent = fetched.isEmpty() ? silent + 1 : 0;
                if (silent > SILENCE.dividedBy(POLL)) {
                    throw new KafkaException("no record within " + SILENCE.toSeconds()
                            + " s, though the topics have more; check the brokers and the rights of this client");
                }
                continue;
            }
            ConsumerRecord<byte[], byte[]> record = fetched.remove();
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            if (record.offset() < ends.getOrDefault(partition, 0L)) {
                letters.add(found.letter(RecordReader.recordOf(record)));
                bytes += Math.max(0, record.serializedValueSize());
                read.put(partition, record.offset() + 1);
            }
        }
        return letters;
    }

    private boolean isBehind() {
        return ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue());
    }

    /**
     * Returns the letter without its payload and marked as redacted, for a store that refused the letter because of its size. The
     * letter has the place of its record, and can be redriven after an edit.
     */
    public static DeadLetter withoutPayload(DeadLetter letter) {
        return FoundLetters.withoutPayload(letter);
    }

    /** Remembers that the letters returned so far are imported: the next reader of the group begins behind them. */
    public void commit() {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        read.forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset)));
        if (!offsets.isEmpty()) {
            consumer.commitSync(offsets);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }

    /** Builds a {@link LetterReader}. */
    public static final class Builder {
        private final Map<String, Object> client = new HashMap<>();
        private List<String> topics = List.of();
        private String group = GROUP;
        private RecordMapping mapping = RecordMapping.standard();
        private int maxPayload = Integer.MAX_VALUE;
        private boolean fromBeginning;

        private Builder() {}

        /** Sets the addresses of brokers, for example {@code localhost:9092}; required. */
        public Builder bootstrap(String servers) {
            return client(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        }

        /** Sets the topics with dead letters; required. */
        public Builder topics(List<String> names) {
            topics = List.copyOf(names);
            return this;
        }

        /** Sets the group under which the reader remembers its place. Default: {@link LetterReader#GROUP}. */
        public Builder group(String value) {
            group = value;
            return this;
        }

        /** Sets how the original records become events. Default: {@link RecordMapping#standard()}. */
        public Builder mapping(RecordMapping value) {
            mapping = value;
            return this;
        }

        /**
         * Leaves larger payloads out, because the store that imports the letters would refuse them; such a letter is marked as redacted
         * and has the place of its record. Default: all payloads. Set {@link io.redrive.events.EventStore#maxPayload()}.
         */
        public Builder maxPayload(int bytes) {
            maxPayload = bytes;
            return this;
        }

        /** Reads the topics from their beginning, wherever the last reader of the group ended. */
        public Builder fromBeginning(boolean value) {
            fromBeginning = value;
            return this;
        }

        /** Sets a setting of Kafka's consumer, for example for TLS or SASL. */
        public Builder client(String key, Object value) {
            client.put(key, value);
            return this;
        }

        private Map<String, Object> consumer() {
            Map<String, Object> settings = new TreeMap<>(client);
            settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
            settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            settings.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
            settings.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
            settings.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
            return settings;
        }

        /**
         * Finds the topics and their ends.
         *
         * @throws IllegalArgumentException if topics, group or bootstrap servers are missing
         * @throws IllegalStateException if a topic does not exist
         * @throws KafkaException if the cluster does not answer
         */
        public LetterReader open() {
            if (!client.containsKey(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
                throw new IllegalArgumentException("bootstrap servers are missing; add bootstrap(\"localhost:9092\")");
            }
            if (topics.isEmpty() || group.isBlank()) {
                throw new IllegalArgumentException(
                        "topics and group must not be empty, got topics " + topics + " and group '" + group + "'");
            }
            topics.forEach(topic -> ExistingTopics.require(client, topic));
            return new LetterReader(this);
        }
    }
}

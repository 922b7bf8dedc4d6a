package io.redrive.kafka;

import io.redrive.core.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Knows the largest record of each topic, so that a record that a topic will refuse is not sent. A refused record costs its
 * neighbours in flight: in tests with Kafka 4.3.1 the idempotent producer delivered them only after about 25 s, and some of them twice.
 * Compressed records are never judged: only the broker knows their size.
 * Thread-safe.
 */
final class RecordLimits {

    /** Records up to this size are sent without a question: topics with a lower limit are rare. */
    private static final int UNJUDGED = 10_000;

    /** Short, because a handler waits. */
    private static final int ANSWER_MS = 3_000;

    private static final Duration KNOWN_FOR = Duration.ofSeconds(30);
    /** The bytes of a batch beside its records. */
    private static final int BATCH = 61;
    /** The least bytes of a record beside key, value and headers: lengths, attributes, and differences to the batch. */
    private static final int RECORD = 7;
    /** The least bytes of a header beside name and value. */
    private static final int HEADER = 2;

    private final Map<String, Object> client;
    private final Time time;
    private final boolean isCompressed;
    private final Map<String, Limit> limits = new ConcurrentHashMap<>();

    RecordLimits(Map<String, Object> client, Time time) {
        this.client = client;
        this.time = time;
        isCompressed =
                !"none".equals(String.valueOf(client.getOrDefault(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none")));
    }

    /** The largest batch of a topic, as read at a time. */
    private record Limit(long bytes, Instant read) {
        boolean isFresh(Instant now) {
            return !now.isBefore(read) && now.isBefore(read.plus(KNOWN_FOR));
        }
    }

    /** Returns true when the topic refuses the record for certain. Asks the cluster only about a record that looks too large. */
    boolean isTooLarge(ProducerRecord<byte[], byte[]> record) {
        long size = leastSize(record);
        if (isCompressed || size <= UNJUDGED) {
            return false;
        }
        Instant now = time.now();
        Limit limit = limits.compute(
                record.topic(),
                (topic, known) -> known != null && known.isFresh(now) ? known : new Limit(read(topic), now));
        return size > limit.bytes();
    }

    private long read(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Map<String, Object> settings = new HashMap<>(client);
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MS);
        try (Admin admin = Admin.create(settings)) {
            Config config = ClusterAnswer.of(
                            admin.describeConfigs(List.of(resource)).all(), client)
                    .values()
                    .iterator()
                    .next();
            boolean recompresses = !List.of("producer", "uncompressed")
                    .contains(config.get(TopicConfig.COMPRESSION_TYPE_CONFIG).value());
            return recompresses
                    ? Long.MAX_VALUE
                    : Long.parseLong(
                            config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
        } catch (KafkaException e) {
            // A client without the right to read settings, or no broker: the answer to the record decides.
            return Long.MAX_VALUE;
        }
    }

    /** Returns the bytes of a batch with this record alone, or a few bytes less. */
    private static long leastSize(ProducerRecord<byte[], byte[]> record) {
        long size = BATCH + RECORD + length(record.key()) + length(record.value());
        for (Header header : record.headers()) {
            size += HEADER + header.key().length() + length(header.value());
        }
        return size;
    }

    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}

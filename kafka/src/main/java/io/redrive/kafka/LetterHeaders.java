package io.redrive.kafka;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * The headers that tell about the failure of a letter on a topic, beside the headers of the record. Texts are UTF-8, numbers are
 * decimal: {@code __dlq.errors.topic}, {@code .partition}, {@code .offset}, {@code .group}, {@code .delivery.count} and {@code
 * .message} as KIP-1191 names them, and {@code redrive.reason}, {@code redrive.fingerprint} and {@code redrive.letter}.
 */
public final class LetterHeaders {

    static final String DLQ = "__dlq.errors.";
    static final String REASON = "redrive.reason";
    static final String FINGERPRINT = "redrive.fingerprint";
    static final String LETTER = "redrive.letter";
    static final String SPRING = "kafka_dlt-";

    private final Optional<String> group;
    private final boolean spring;

    private LetterHeaders(Optional<String> group, boolean spring) {
        this.group = group;
        this.spring = spring;
    }

    /** The headers of KIP-1191 and of Redrive, with the service of the letter as group. */
    public static LetterHeaders standard() {
        return new LetterHeaders(Optional.empty(), false);
    }

    /** Returns the same headers with this consumer group. */
    public LetterHeaders withGroup(String value) {
        return new LetterHeaders(Optional.of(value), spring);
    }

    /**
     * Returns these headers and, beside them, the headers of Spring Kafka ({@code kafka_dlt-original-topic} and so on; partition,
     * offset and timestamp are binary), for consumers that know those. There is no stack trace.
     */
    public LetterHeaders withSpringNames() {
        return new LetterHeaders(group, true);
    }

    /** Returns the record of a letter: the record of its event as it was, with these headers behind its own. */
    ProducerRecord<byte[], byte[]> record(String topic, DeadLetter letter, KafkaBus bus) {
        Event event = letter.originalPayload()
                .map(payload -> letter.event().toBuilder()
                        .payload(payload, letter.event().contentType())
                        .build())
                .orElse(letter.event());
        Optional<KafkaRecord> origin = KafkaRecord.of(event);
        EventMapping mapping = origin.isPresent() ? EventMapping.plain() : bus.mapping();
        ProducerRecord<byte[], byte[]> record = mapping.toRecord(topic, event);
        Headers headers = record.headers();
        origin.ifPresent(place -> {
            add(headers, DLQ + "topic", place.topic());
            add(headers, DLQ + "partition", String.valueOf(place.partition()));
            add(headers, DLQ + "offset", String.valueOf(place.offset()));
        });
        add(headers, DLQ + "group", group.orElse(letter.service()));
        add(headers, DLQ + "delivery.count", String.valueOf(deliveries(letter)));
        add(headers, DLQ + "message", letter.lastError());
        add(headers, REASON, letter.reason().code());
        add(headers, FINGERPRINT, letter.fingerprint());
        add(headers, LETTER, String.valueOf(letter.id()));
        if (spring) {
            addSpring(headers, letter, origin);
        }
        return record;
    }

    private static int deliveries(DeadLetter letter) {
        return Math.max(
                1,
                letter.attempts().failed()
                        + letter.attempts().crashed()
                        + letter.attempts().interrupted());
    }

    private void addSpring(Headers headers, DeadLetter letter, Optional<KafkaRecord> origin) {
        origin.ifPresent(place -> {
            add(headers, SPRING + "original-topic", place.topic());
            headers.add(
                    SPRING + "original-partition",
                    ByteBuffer.allocate(Integer.BYTES).putInt(place.partition()).array());
            headers.add(SPRING + "original-offset", eightBytes(place.offset()));
            headers.add(
                    SPRING + "original-timestamp", eightBytes(place.timestamp().toEpochMilli()));
        });
        add(headers, SPRING + "original-consumer-group", group.orElse(letter.service()));
        add(headers, SPRING + "exception-fqcn", letter.errorType());
        add(headers, SPRING + "exception-message", letter.lastError());
    }

    private static byte[] eightBytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}

package io.redrive.kafka;

import io.redrive.events.CloudEventAttributes;
import io.redrive.events.Event;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Makes the record that a {@link KafkaBus} sends from an event. Implementations are pure functions and thread-safe.
 *
 * <p>An exception makes the event of a relay a dead letter with the reason {@code invalid_event}.
 */
@FunctionalInterface
public interface EventMapping {

    /** Returns the record of {@code event} for {@code topic}. */
    ProducerRecord<byte[], byte[]> toRecord(String topic, Event event);

    /**
     * The default: a CloudEvent in binary form. The value is the payload, the key is the ordering key, the attributes are headers
     * {@code ce_…}, and the content type is the header {@code content-type}. {@link RecordMapping#standard()} makes the same event
     * from this record. An event that came from a topic is sent as the record it was.
     */
    static EventMapping cloudEvents() {
        return (topic, event) ->
                KafkaRecord.of(event).map(record -> asItWas(topic, record)).orElseGet(() -> cloudEvent(topic, event));
    }

    /**
     * Sends the payload as value, the ordering key as key, and the headers of the event as headers. An event that came from a topic
     * is sent as the record it was.
     */
    static EventMapping plain() {
        return (topic, event) ->
                KafkaRecord.of(event).map(record -> asItWas(topic, record)).orElseGet(() -> plain(topic, event));
    }

    private static ProducerRecord<byte[], byte[]> cloudEvent(String topic, Event event) {
        RecordHeaders headers = new RecordHeaders();
        CloudEventAttributes.of(event).forEach((name, value) -> {
            String header = name.equals("datacontenttype") ? "content-type" : "ce_" + name;
            headers.add(header, bytes(value));
        });
        return new ProducerRecord<>(topic, null, keyOf(event), event.payload(), headers);
    }

    private static ProducerRecord<byte[], byte[]> plain(String topic, Event event) {
        RecordHeaders headers = new RecordHeaders();
        event.headers().forEach((name, value) -> headers.add(name, bytes(value)));
        return new ProducerRecord<>(topic, null, keyOf(event), event.payload(), headers);
    }

    /** The timestamp is not kept: a topic deletes records by their timestamp, and an old record would be gone at once. */
    private static ProducerRecord<byte[], byte[]> asItWas(String topic, KafkaRecord record) {
        RecordHeaders headers = new RecordHeaders();
        record.headers().forEach(each -> headers.add(each.name(), orNull(each.value())));
        return new ProducerRecord<>(topic, null, orNull(record.key()), orNull(record.value()), headers);
    }

    private static byte @Nullable [] keyOf(Event event) {
        return orNull(event.orderingKey().map(EventMapping::bytes));
    }

    private static byte @Nullable [] orNull(Optional<byte[]> part) {
        return part.orElse(null);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package io.redrive.kafka;

import io.redrive.events.Event;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A record of a topic as the broker delivered it. The handler of an event gets its record with {@link #of}, at each attempt and
 * after a redrive too: null values, binary keys, and headers that are binary, null or there twice are kept.
 *
 * @param topic the topic
 * @param partition the partition
 * @param offset the offset
 * @param timestamp the timestamp of the record
 * @param key the key; empty for a record without a key
 * @param value the value; empty for a tombstone. The event of the record has the same bytes, so nobody may change them
 * @param headers the headers in their order
 */
public record KafkaRecord(
        String topic,
        int partition,
        long offset,
        Instant timestamp,
        Optional<byte[]> key,
        Optional<byte[]> value,
        List<Header> headers) {

    /** Copies the headers. */
    public KafkaRecord {
        headers = List.copyOf(headers);
    }

    /**
     * A header of a record.
     *
     * @param name the name
     * @param value the value; empty for a header whose value is null
     */
    public record Header(String name, Optional<byte[]> value) {

        /** Returns the value as UTF-8 text; empty for a header whose value is null. */
        public Optional<String> text() {
            return value.map(bytes -> new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /** Returns the record of an event; empty when the event does not come from a topic. */
    public static Optional<KafkaRecord> of(Event event) {
        return RecordEnvelope.record(event);
    }

    /** Returns the last header with this name as text. */
    public Optional<String> text(String header) {
        for (int i = headers.size() - 1; i >= 0; i--) {
            if (headers.get(i).name().equals(header)) {
                return headers.get(i).text();
            }
        }
        return Optional.empty();
    }

    /** Returns {@code topic/partition@offset}. */
    public String place() {
        return KeyNames.joined(topic, '/', partition, '@', offset);
    }
}

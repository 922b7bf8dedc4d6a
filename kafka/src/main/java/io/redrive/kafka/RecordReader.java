package io.redrive.kafka;

import io.redrive.events.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of delivered records. The mapping is the user's, so any exception becomes an unreadable event, and errors that the
 * record causes do too. Errors of the process, such as a missing class, pass on, and no record is skipped.
 */
final class RecordReader {

    private final FlowSettings settings;
    private final TopicNames names = new TopicNames();

    RecordReader(FlowSettings settings) {
        this.settings = settings;
    }

    TopicNames names() {
        return names;
    }

    /**
     * The event of a record.
     *
     * @param unreadable why the record breaks the rules of events; null for a good record
     */
    record Read(long offset, Event event, @Nullable String unreadable) {}

    Read read(ConsumerRecord<byte[], byte[]> consumed, String keyPrefix) {
        KafkaRecord record = recordOf(consumed);
        try {
            return new Read(
                    record.offset(),
                    complete(RecordEnvelope.wrap(settings.mapping().toEvent(record), record), record, keyPrefix),
                    null);
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            return new Read(
                    record.offset(),
                    unreadable(record, keyPrefix),
                    "record " + record.place() + " is no event: "
                            + Objects.requireNonNullElse(e.getMessage(), e.toString()));
        }
    }

    /** The exception may come from the size of the record's own parts, and the event of the fallback has only parts that fit. */
    private Event unreadable(KafkaRecord record, String keyPrefix) {
        Event.Builder plain = Event.named("kafka.unreadable")
                .id(KeyNames.fitting(record.place()))
                .source(KeyNames.fitting(record.topic()))
                .created(record.timestamp());
        record.value().ifPresent(value -> plain.payloadWithoutCopy(value, "application/octet-stream"));
        return complete(RecordEnvelope.wrapFitting(plain, record), record, keyPrefix);
    }

    private Event complete(Event.Builder event, KafkaRecord record, String keyPrefix) {
        if (settings.orderedByKey()) {
            event.orderingKey(record.key()
                    .map(key -> KeyNames.orderingKey(keyPrefix, key))
                    .orElse(null));
        }
        Event whole = event.build();
        names.saw(record.topic(), whole.name());
        return whole;
    }

    static KafkaRecord recordOf(ConsumerRecord<byte[], byte[]> consumed) {
        return new KafkaRecord(
                consumed.topic(),
                consumed.partition(),
                consumed.offset(),
                Instant.ofEpochMilli(Math.max(0, consumed.timestamp())),
                Optional.ofNullable(consumed.key()),
                Optional.ofNullable(consumed.value()),
                headersOf(consumed));
    }

    private static List<KafkaRecord.Header> headersOf(ConsumerRecord<byte[], byte[]> consumed) {
        Header[] all = consumed.headers().toArray();
        if (all.length == 0) {
            return List.of();
        }
        List<KafkaRecord.Header> headers = new ArrayList<>(all.length);
        for (Header header : all) {
            headers.add(new KafkaRecord.Header(header.key(), Optional.ofNullable(header.value())));
        }
        return headers;
    }
}

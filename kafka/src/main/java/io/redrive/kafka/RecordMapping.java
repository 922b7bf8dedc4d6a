package io.redrive.kafka;

import io.redrive.events.CloudEventAttributes;
import io.redrive.events.Event;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes the event of a record: name, source, id, priority. The flow adds place, key and headers, and the ordering key where records
 * are ordered by key. A mapping must return the same event for the same record, because a record may be delivered again.
 *
 * <p>An exception makes the record a dead letter with the reason {@code invalid_event}.
 */
@FunctionalInterface
public interface RecordMapping {

    /** Returns a builder for the event of {@code record}. The payload must be the value, or empty for a tombstone. */
    Event.Builder toEvent(KafkaRecord record);

    /**
     * The default: a CloudEvent in binary form (headers {@code ce_…}) or in structured form (header {@code content-type} with {@code
     * application/cloudevents+json}) keeps its type as name, its id and its source; the payload is the whole value. Any other record is named after its topic, has the topic as source, its place as id, and the header {@code content-type}, if there is one, as
     * content type.
     */
    static RecordMapping standard() {
        return record -> cloudEvent(record).orElseGet(() -> plain(record));
    }

    /** Like {@link #standard()}, with this name for records that are no CloudEvents. */
    static RecordMapping named(String name) {
        Event.named(name).source("check").build();
        return record -> cloudEvent(record).orElseGet(() -> plain(record, name));
    }

    private static Event.Builder plain(KafkaRecord record) {
        return plain(record, nameOf(record.topic()));
    }

    private static Event.Builder plain(KafkaRecord record, String name) {
        Event.Builder event = Event.named(name)
                .id(idOf(record))
                .source(KeyNames.fitting(record.topic()))
                .created(record.timestamp());
        record.value().ifPresent(value -> event.payloadWithoutCopy(value, "application/octet-stream"));
        record.text("content-type")
                .filter(type -> !type.isBlank() && type.length() <= KeyNames.MAX_LENGTH)
                .ifPresent(event::contentType);
        return event;
    }

    private static Optional<Event.Builder> cloudEvent(KafkaRecord record) {
        if (record.text("ce_specversion").isPresent()) {
            return Optional.of(binaryCloudEvent(record));
        }
        return StructuredCloudEvent.is(record) ? Optional.of(StructuredCloudEvent.toEvent(record)) : Optional.empty();
    }

    private static Event.Builder binaryCloudEvent(KafkaRecord record) {
        Map<String, String> attributes = new TreeMap<>();
        for (KafkaRecord.Header header : record.headers()) {
            String name = header.name().toLowerCase(Locale.ROOT);
            Optional<String> text = header.text();
            if (name.startsWith("ce_") && text.isPresent()) {
                attributes.put(name.substring(3), text.get());
            } else if (name.equals("content-type") && text.isPresent()) {
                attributes.put("datacontenttype", text.get());
            }
        }
        return CloudEventAttributes.toEvent(attributes, record.value().orElse(new byte[0]), record.timestamp())
                .toBuilder();
    }

    private static String idOf(KafkaRecord record) {
        return KeyNames.fitting(KeyNames.joined(record.topic(), '-', record.partition(), '-', record.offset()));
    }

    /** Topics may have dots at any place; names of events are words with a dot between two of them. */
    private static String nameOf(String topic) {
        boolean wellPlaced = !topic.contains("..") && !topic.startsWith(".") && !topic.endsWith(".");
        if (wellPlaced && topic.length() <= KeyNames.MAX_LENGTH) {
            return topic;
        }
        String name = topic.replaceAll("\\.{2,}", ".").replaceAll("^\\.|\\.$", "");
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= KeyNames.MAX_LENGTH ? name : name.substring(0, KeyNames.MAX_LENGTH - 1) + "_";
    }
}

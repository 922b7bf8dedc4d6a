package io.redrive.kafka;

import io.redrive.events.CloudEventAttributes;
import io.redrive.events.Event;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the attributes of a CloudEvent in structured form: a JSON object with the data inside. The payload of the event is the whole
 * value, so that the record can be made again from the event byte by byte.
 */
final class StructuredCloudEvent {

    private static final String CONTENT_TYPE = "application/cloudevents+json";
    private static final Set<String> DATA = Set.of("data", "data_base64", "datacontenttype");
    private static final JsonFactory JSON = new JsonFactory();

    private StructuredCloudEvent() {}

    /** Returns true when the header {@code content-type} says so. */
    static boolean is(KafkaRecord record) {
        return contentType(record)
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith(CONTENT_TYPE))
                .isPresent();
    }

    private static Optional<String> contentType(KafkaRecord record) {
        return record.text("content-type");
    }

    static Event.Builder toEvent(KafkaRecord record) {
        byte[] value = record.value()
                .orElseThrow(() ->
                        new IllegalArgumentException("a structured CloudEvent must have a value, got a tombstone"));
        Map<String, String> attributes = attributes(value);
        attributes.put("datacontenttype", contentType(record).orElse(CONTENT_TYPE));
        return CloudEventAttributes.toEvent(attributes, value, record.timestamp()).toBuilder();
    }

    private static Map<String, String> attributes(byte[] value) {
        Map<String, String> attributes = new TreeMap<>();
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), value)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("a structured CloudEvent must be a JSON object");
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                JsonToken token = json.nextToken();
                if (token.isStructStart()) {
                    json.skipChildren();
                } else if (token != JsonToken.VALUE_NULL && !DATA.contains(name)) {
                    attributes.put(name, json.getString());
                }
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "a structured CloudEvent must be JSON, got " + e.getOriginalMessage(), e);
        }
        return attributes;
    }
}

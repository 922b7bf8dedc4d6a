package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CloudEventAttributesTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final byte[] NO_DATA = {};

    @Test
    void an_event_has_the_attributes_of_a_cloud_event() {
        Event event = Event.named("order.paid")
                .id("e-1")
                .source("/shop/billing")
                .priority(Priority.HIGH)
                .correlationId("order-17")
                .orderingKey("customer-4")
                .json("{}")
                .header("traceparent", "00-abc")
                .created(NOON)
                .due(NOON.plusSeconds(5))
                .deadline(NOON.plusSeconds(60))
                .build();
        assertThat(CloudEventAttributes.of(event))
                .containsExactly(
                        entry("specversion", "1.0"),
                        entry("id", "e-1"),
                        entry("source", "/shop/billing"),
                        entry("type", "order.paid"),
                        entry("time", "2026-01-01T12:00:00Z"),
                        entry("datacontenttype", "application/json"),
                        entry("priority", "high"),
                        entry("correlationid", "order-17"),
                        entry("orderingkey", "customer-4"),
                        entry("due", "2026-01-01T12:00:05Z"),
                        entry("deadline", "2026-01-01T12:01:00Z"),
                        entry("traceparent", "00-abc"));
    }

    @Test
    void every_event_comes_back_as_it_was_and_its_attributes_are_legal() {
        for (long seed = 0; seed < 1_000; seed++) {
            Event event = new SampleLetters(new Random(seed)).event();
            Map<String, String> attributes = CloudEventAttributes.of(event);
            assertThat(attributes.keySet()).as("seed " + seed).allMatch(name -> name.matches("[a-z0-9]+"));
            assertThat(URI.create(attributes.get("source")).toASCIIString()).isEqualTo(attributes.get("source"));
            assertThat(attributes.values())
                    .as("seed " + seed)
                    .noneMatch(value -> value.chars().anyMatch(Character::isISOControl));
            assertThat(CloudEventAttributes.toEvent(attributes, event.payload(), Instant.EPOCH))
                    .as("seed " + seed)
                    .isEqualTo(event);
        }
    }

    @Test
    void a_source_that_is_no_uri_reference_is_encoded() {
        assertThat(sourceOf("my shop+café")).isEqualTo("urn:redrive:source:my%20shop%2Bcaf%C3%A9");
        assertThat(sourceOf("urn:redrive:source:x")).isEqualTo("urn:redrive:source:urn%3Aredrive%3Asource%3Ax");
        assertThat(sourceOf("https://example.org/a%20b")).isEqualTo("https://example.org/a%20b");
        assertThat(sourceOf("shop")).isEqualTo("shop");
    }

    @Test
    void a_foreign_cloud_event_needs_only_the_attributes_that_the_standard_requires() {
        Event event = CloudEventAttributes.toEvent(
                Map.of("specversion", "1.0", "id", "1", "source", "//other", "type", "com.other.thing", "subject", "s"),
                new byte[] {1},
                NOON);
        assertThat(event.name()).isEqualTo("com.other.thing");
        assertThat(event.created()).isEqualTo(NOON);
        assertThat(event.due()).isEqualTo(NOON);
        assertThat(event.priority()).isEqualTo(Priority.NORMAL);
        assertThat(event.payload()).containsExactly(1);
        assertThat(event.headers()).containsExactly(entry("subject", "s"));
    }

    @Test
    void a_time_may_have_an_offset() {
        assertThat(with("time", "2026-01-01T14:00:00+02:00").created()).isEqualTo(NOON);
    }

    @Test
    void bad_attributes_are_told_with_name_value_and_rule() {
        for (String required : new String[] {"specversion", "id", "source", "type"}) {
            assertThatThrownBy(() -> with(required, null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("CloudEvents attribute " + required + " is missing");
        }
        assertThatThrownBy(() -> with("specversion", "0.3"))
                .hasMessage("CloudEvents attribute specversion must be 1.0, got '0.3'");
        assertThatThrownBy(() -> with("time", "noon"))
                .hasMessageStartingWith("CloudEvents attribute time cannot be 'noon': ");
        assertThatThrownBy(() -> with("priority", "urgent"))
                .hasMessageStartingWith("CloudEvents attribute priority cannot be 'urgent': priority must be one of");
        assertThatThrownBy(() -> with("rdhxyz", "1"))
                .hasMessageStartingWith("CloudEvents attribute rdhxyz cannot be '1': ");
        assertThatThrownBy(() -> with("source", "urn:redrive:source:%zz"))
                .hasMessageStartingWith("CloudEvents attribute source cannot be 'urn:redrive:source:%zz': ");
        assertThatThrownBy(() -> with("type", "no spaces")).hasMessageContaining("got 'no spaces'");
    }

    @Test
    void attributes_that_would_become_headers_of_redrive_are_refused() {
        for (String reserved : ReservedHeaders.NAMES) {
            String hidden = "rdh" + HexFormat.of().formatHex(reserved.getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> with(reserved, "dlq.orders/0@1"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("header '" + reserved
                            + "' must not be set by a publisher, got 'dlq.orders/0@1': Redrive writes this header itself;"
                            + " remove the header or choose another name");
            assertThatThrownBy(() -> with(hidden, "1"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("CloudEvents attribute " + hidden)
                    .hasMessageContaining("header '" + reserved + "' must not be set by a publisher");
        }
    }

    @Test
    void headers_of_redrive_are_no_attributes_because_no_reader_would_accept_them() {
        Event redacted = Event.named("a.b")
                .source("s")
                .header(DeadLetter.REDACTED_HEADER, "payload")
                .header(Event.RECORD_HEADER, "AAAA")
                .header("trace", "1")
                .build();
        Map<String, String> attributes = CloudEventAttributes.of(redacted);
        assertThat(attributes).containsEntry("trace", "1");
        assertThat(attributes.keySet()).noneMatch(name -> name.startsWith("rdh"));
        assertThat(CloudEventAttributes.toEvent(attributes, NO_DATA, NOON).headers())
                .containsOnlyKeys("trace");
    }

    private static Event with(String name, String value) {
        Map<String, String> attributes =
                new HashMap<>(Map.of("specversion", "1.0", "id", "1", "source", "s", "type", "a.b"));
        attributes.put(name, value);
        return CloudEventAttributes.toEvent(attributes, NO_DATA, NOON);
    }

    private static String sourceOf(String source) {
        return CloudEventAttributes.of(
                        Event.named("a.b").source(source).created(NOON).build())
                .get("source");
    }
}

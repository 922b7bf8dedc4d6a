package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.events.Event;
import io.redrive.events.ReservedHeaders;
import io.redrive.events.redaction.Redaction;
import io.redrive.events.redaction.RedactionMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records survive in events; names made of them fit. */
final class RecordEnvelopeTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void any_record_survives_in_an_event() {
        Random random = new Random(7);
        for (int i = 0; i < 3_000; i++) {
            KafkaRecord record = random(random);
            Event event = RecordEnvelope.wrap(RecordMapping.named("order.paid").toEvent(record), record)
                    .build();
            KafkaRecord back = KafkaRecord.of(event).orElseThrow();
            assertThat(text(back)).as("record " + i + " of seed 7").isEqualTo(text(record));
        }
    }

    @Test
    void a_plain_record_has_no_envelope() {
        KafkaRecord record = record("k", "v", List.of(new KafkaRecord.Header("trace", Optional.of(bytes("abc")))));
        Event event = RecordEnvelope.wrap(RecordMapping.standard().toEvent(record), record)
                .build();
        assertThat(event.headers()).containsOnlyKeys("kafka-place", "kafka-key", "trace");
        assertThat(event.name()).isEqualTo("orders");
        assertThat(event.text()).isEqualTo("v");
        assertThat(event.id()).isEqualTo("orders-3-17");
    }

    @Test
    void headers_that_pretend_to_be_ours_are_kept_apart() {
        KafkaRecord record = record(
                "k",
                "v",
                List.of(
                        new KafkaRecord.Header("kafka-place", Optional.of(bytes("other/1@1"))),
                        new KafkaRecord.Header("redrive-record", Optional.of(bytes("x")))));
        Event event = RecordEnvelope.wrap(RecordMapping.standard().toEvent(record), record)
                .build();
        assertThat(text(KafkaRecord.of(event).orElseThrow())).isEqualTo(text(record));
    }

    @Test
    void a_producer_of_cloud_events_cannot_write_headers_of_ours() {
        assertThat(ReservedHeaders.NAMES)
                .contains(RecordEnvelope.PLACE, RecordEnvelope.KEY, RecordEnvelope.LETTER_PLACE, Event.RECORD_HEADER);
        for (String name : ReservedHeaders.NAMES) {
            String hidden = "rdh" + HexFormat.of().formatHex(bytes(name));
            for (String attribute : List.of(name, hidden)) {
                List<KafkaRecord.Header> headers = List.of(
                        header("ce_specversion", "1.0"),
                        header("ce_type", "order.sent"),
                        header("ce_id", "7"),
                        header("ce_source", "/shop"),
                        header("ce_" + attribute, "x"));
                assertThatIllegalArgumentException()
                        .as(attribute)
                        .isThrownBy(() -> RecordMapping.standard().toEvent(record("k", "{}", headers)))
                        .withMessageContaining("header '" + name + "' must not be set by a publisher, got 'x'");
                String structured = "{\"specversion\":\"1.0\",\"type\":\"a.b\",\"id\":\"7\",\"source\":\"s\",\""
                        + attribute + "\":\"x\"}";
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> RecordMapping.standard()
                                .toEvent(record(
                                        "k",
                                        structured,
                                        List.of(header("content-type", "application/cloudevents+json")))))
                        .withMessageContaining("header '" + name + "'");
            }
        }
    }

    private static KafkaRecord.Header header(String name, String value) {
        return new KafkaRecord.Header(name, Optional.of(bytes(value)));
    }

    @Test
    void a_redaction_replaces_the_envelope_because_no_rule_reaches_inside() {
        KafkaRecord record = record("k", null, List.of(new KafkaRecord.Header("authorization", Optional.empty())));
        Event event = RecordEnvelope.wrap(RecordMapping.standard().toEvent(record), record)
                .build();
        assertThat(event.headers()).containsKey(Event.RECORD_HEADER);
        Event redacted = Redaction.of(List.of("header:authorization"), RedactionMode.STORED)
                .event(event);
        assertThat(redacted.headers().get(Event.RECORD_HEADER))
                .isNotEqualTo(event.headers().get(Event.RECORD_HEADER));
        assertThat(KafkaRecord.of(redacted).orElseThrow().headers()).isEmpty();
    }

    @Test
    void a_cloud_event_in_binary_form_keeps_its_type_id_and_source() {
        List<KafkaRecord.Header> headers = new ArrayList<>();
        for (String[] each : new String[][] {
            {"ce_specversion", "1.0"},
            {"ce_type", "order.sent"},
            {"ce_id", "7"},
            {"ce_source", "/shop"},
            {"content-type", "application/json"}
        }) {
            headers.add(new KafkaRecord.Header(each[0], Optional.of(bytes(each[1]))));
        }
        Event event =
                RecordMapping.standard().toEvent(record("k", "{}", headers)).build();
        assertThat(event.name()).isEqualTo("order.sent");
        assertThat(event.id()).isEqualTo("7");
        assertThat(event.source()).isEqualTo("/shop");
        assertThat(event.contentType()).isEqualTo("application/json");
    }

    @Test
    void names_of_long_topics_groups_and_keys_fit_and_differ() {
        String topic = "t".repeat(249);
        String prefix = KeyNames.prefix("g".repeat(200), topic, 1);
        assertThat(prefix.length()).isLessThan(130);
        assertThat(prefix).endsWith("/").isNotEqualTo(KeyNames.prefix("g".repeat(200), topic, 11));
        byte[] binary = new byte[5_000];
        assertThat(KeyNames.orderingKey(prefix, binary).length()).isLessThanOrEqualTo(KeyNames.MAX_LENGTH);
        assertThat(KeyNames.orderingKey("g/t/1/", bytes("k"))).isEqualTo("g/t/1/k");
        assertThat(KeyNames.orderingKey("g/t/1/", bytes(""))).isEqualTo("g/t/1/");
        assertThat(KeyNames.orderingKey("g/t/1/", bytes("#x"))).isNotEqualTo("g/t/1/#x");
        assertThat(KeyNames.fitting(topic)).hasSizeLessThanOrEqualTo(KeyNames.MAX_LENGTH);
        assertThatIllegalArgumentException().isThrownBy(() -> RecordMapping.named("no name"));
    }

    private static KafkaRecord record(String key, String value, List<KafkaRecord.Header> headers) {
        return new KafkaRecord(
                "orders",
                3,
                17,
                AT,
                Optional.of(bytes(key)),
                Optional.ofNullable(value).map(RecordEnvelopeTest::bytes),
                headers);
    }

    private static KafkaRecord random(Random random) {
        List<KafkaRecord.Header> headers = new ArrayList<>();
        for (int i = random.nextInt(5) == 0 ? random.nextInt(90) : random.nextInt(4); i > 0; i--) {
            String name = random.nextInt(3) == 0 ? "same" : random.nextInt(9) == 0 ? "" : "h" + random.nextInt(200);
            headers.add(new KafkaRecord.Header(
                    name, random.nextInt(6) == 0 ? Optional.empty() : Optional.of(part(random))));
        }
        return new KafkaRecord(
                "orders",
                random.nextInt(100),
                Math.abs(random.nextLong() % 1_000_000_000_000L),
                AT,
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(part(random)),
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(part(random)),
                headers);
    }

    private static byte[] part(Random random) {
        if (random.nextBoolean()) {
            return bytes("text ü " + random.nextInt(1_000) + "x".repeat(random.nextInt(20) == 0 ? 3_000 : 3));
        }
        byte[] bytes = new byte[random.nextInt(12)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(KafkaRecord record) {
        StringBuilder text = new StringBuilder(record.place());
        text.append(record.key().map(Arrays::toString)).append(record.value().map(Arrays::toString));
        record.headers()
                .forEach(each -> text.append(each.name()).append(each.value().map(Arrays::toString)));
        return text.toString();
    }
}

package io.redrive.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.server.problem.Problem;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two readers of one format: what the quick one accepts, the explaining one accepts as the same events. */
class EventStreamReaderTest {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(tools.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final int MOST = 5;
    private static final ManualTime STILL = new ManualTime();

    private static Optional<PublishRequest> read(byte[] body) {
        return EventStreamReader.read(body, MOST, index -> Optional.of("id-" + index), STILL);
    }

    private static Optional<PublishRequest> read(String body) {
        return read(body.getBytes(StandardCharsets.UTF_8));
    }

    private static Event only(String body) {
        PublishRequest request = read(body).orElseThrow();
        assertThat(request.single()).isTrue();
        return request.events().get(0);
    }

    /** Returns the events as the explaining reader sees them. */
    private static List<Event> explained(byte[] body) {
        JsonNode node = Body.parse(body);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < (node.isArray() ? node.size() : 1); i++) {
            events.add(EventJson.read("", node.isArray() ? node.get(i) : node, Optional.of("id-" + i), STILL));
        }
        return events;
    }

    @Test
    void the_payload_keeps_its_bytes() {
        String payload = "{ \"total\" : 1.50, \"名\": \"\\u00e9 é\", \"list\": [ 1e3 , null ] }";
        Event event = only("{\"name\": \"a.b\", \"payload\":  " + payload + " , \"source\": \"s\"}");
        assertThat(event.text()).isEqualTo(payload);
        assertThat(event.contentType()).isEqualTo("application/json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "-1.5e3", "\"text\"", "\"\\\"\"", "true", "false", "[]", "{}", "\"\"", "\"é\\n\""})
    void a_payload_of_one_token_keeps_its_bytes(String payload) {
        assertThat(only("{\"name\":\"a.b\",\"source\":\"s\",\"payload\":" + payload + "}")
                        .text())
                .isEqualTo(payload);
        assertThat(only("{\"name\":\"a.b\",\"payload\": " + payload + " , \"source\":\"s\"}")
                        .text())
                .isEqualTo(payload);
    }

    @Test
    void a_text_of_another_content_type_is_the_payload_itself() {
        Event event =
                only("{\"payload\": \"a\\nb\", \"content_type\": \"text/plain\", \"name\":\"a.b\",\"source\":\"s\"}");
        assertThat(event.text()).isEqualTo("a\nb");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "[]",
                "[1]",
                "{}",
                "{\"name\": \"a.b\"}",
                "{\"name\": 1, \"source\": \"s\"}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"nmae\": \"x\"}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"nmae\": null}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"name\": \"a.c\"}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"payload\": {\"a\": 1, \"a\": 2}}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"payload\": 1, \"payload_base64\": \"\"}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"payload\": 1, \"content_type\": \"text/plain\"}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"payload_base64\": \"=\"}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"priority\": \"urgent\"}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"due\": \"tomorrow\"}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"due\": \"2026-03-01T10:00:00Z\", \"delay\": \"1s\"}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"headers\": {\"a\": {}}}",
                "{\"name\": \"a.b\", \"source\": \"s\", \"headers\": {\"kafka-place\": \"orders/0@1\"}}",
                "{\"name\": \"a.b\", \"source\": \"s\"} {}",
                "{\"name\": \"a.b\", \"source\": \"s\"",
                "{\"name\": \"a..b\", \"source\": \"s\"}"
            })
    void whatever_is_irregular_is_left_to_the_reader_that_explains(String body) {
        assertThat(read(body)).isEmpty();
    }

    @Test
    void more_events_than_the_limit_are_left_to_the_reader_that_explains() {
        String event = "{\"name\": \"a.b\", \"source\": \"s\"}";
        assertThat(read("[" + event + (", " + event).repeat(MOST - 1) + "]")
                        .orElseThrow()
                        .events())
                .hasSize(MOST);
        assertThat(read("[" + event + (", " + event).repeat(MOST) + "]")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE"})
    void other_encodings_are_left_to_the_reader_that_explains(String charset) {
        String body = "{\"name\": \"a.b\", \"source\": \"s\", \"payload\": {\"a\": 1}}";
        assertThat(read(body.getBytes(Charset.forName(charset)))).isEmpty();
        assertThat(read("\ufeff" + body)).isEmpty();
    }

    @Test
    void a_payload_that_is_not_utf_8_is_not_copied() {
        byte[] body = "{\"name\": \"a.b\", \"source\": \"s\", \"payload\": \"xx\"}".getBytes(StandardCharsets.UTF_8);
        int at = new String(body, StandardCharsets.UTF_8).indexOf("xx");
        // An overlong form of the letter A.
        body[at] = (byte) 0xc1;
        body[at + 1] = (byte) 0x81;
        assertThat(read(body)).isEmpty();
    }

    @Test
    void bodies_at_random_are_read_alike_by_both_readers() {
        long seed = Long.getLong("redrive.seed", System.nanoTime());
        Random random = new Random(seed);
        int regular = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] body = body(random);
            Optional<PublishRequest> quick = read(body);
            if (quick.isPresent()) {
                regular++;
                String shown = "seed " + seed + ": " + new String(body, StandardCharsets.UTF_8);
                List<Event> slow;
                try {
                    slow = explained(body);
                } catch (Problem refused) {
                    fail("accepted by the quick reader alone (" + refused.getMessage() + "), " + shown);
                    return;
                }
                assertThat(quick.get().events()).as(shown).hasSameSizeAs(slow);
                for (int e = 0; e < slow.size(); e++) {
                    assertAlike(quick.get().events().get(e), slow.get(e), shown);
                }
            }
        }
        assertThat(regular).as("seed " + seed).isGreaterThan(1_000);
    }

    /** The payload of the explaining reader is written anew: the same value, in other bytes. */
    private static void assertAlike(Event quick, Event slow, String shown) {
        if (!Arrays.equals(quick.payload(), slow.payload())) {
            assertThat(JSON.readTree(quick.payload())).as(shown).isEqualTo(JSON.readTree(slow.payload()));
        }
        byte[] none = new byte[0];
        assertThat(quick.toBuilder().payload(none, quick.contentType()).build())
                .as(shown)
                .isEqualTo(slow.toBuilder().payload(none, slow.contentType()).build());
    }

    private static byte[] body(Random random) {
        StringBuilder text = new StringBuilder();
        int events = random.nextInt(4);
        if (events == 0) {
            text.append(event(random));
        } else {
            text.append('[');
            for (int i = 0; i < events; i++) {
                text.append(i == 0 ? "" : ",").append(event(random));
            }
            text.append(']');
        }
        byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
        // Every third body is damaged in one place.
        if (random.nextInt(3) == 0) {
            body[random.nextInt(body.length)] = (byte) random.nextInt(256);
        }
        return body;
    }

    private static final List<String> VALUES = List.of(
            "\"a.b\"",
            "\"high\"",
            "\"2026-03-02T10:00:00Z\"",
            "\"5m\"",
            "\"YWJj\"",
            "\"text/plain\"",
            "\"application/json\"",
            "\"é\\u00e9\\\"\"",
            "null",
            "17",
            "1.50",
            "true",
            "{\"a\": \"b\", \"c\": \"d\"}",
            "{\"a\": [1, {\"b\": null}], \"名\": \"ü\"}",
            "[ 1 , 2e5 ]");

    private static String event(Random random) {
        List<String> fields = new ArrayList<>(List.of("\"name\": \"a.b\"", "\"source\" :\"s\""));
        for (int i = random.nextInt(3); i > 0; i--) {
            String field = List.of(
                            "priority",
                            "id",
                            "correlation_id",
                            "ordering_key",
                            "payload",
                            "payload",
                            "payload_base64",
                            "content_type",
                            "headers",
                            "due",
                            "delay",
                            "deadline",
                            "other")
                    .get(random.nextInt(13));
            fields.add(
                    "\"" + field + "\":" + " ".repeat(random.nextInt(2)) + VALUES.get(random.nextInt(VALUES.size())));
        }
        Collections.shuffle(fields, random);
        return "{" + String.join(" ,\n", fields) + "}";
    }
}

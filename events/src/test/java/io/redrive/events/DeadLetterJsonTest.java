package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeadLetterJsonTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final String SMALLEST = "{\"original_event\":{\"name\":\"order.paid\",\"source\":\"shop\"},"
            + "\"abandoned_reason\":\"timeout\",\"timestamp\":\"2026-01-01T12:00:00Z\"}";

    @Test
    void a_letter_reads_like_this() {
        DeadLetter letter = new DeadLetter(
                7,
                event().correlationId("order-17")
                        .json("{\"total\": 12}")
                        .header("trace", "abc")
                        .build(),
                Optional.of("old".getBytes(StandardCharsets.UTF_8)),
                Reason.MAX_ATTEMPTS_EXCEEDED,
                "IOException",
                "reset by peer",
                "c0ffee",
                "billing",
                new Attempts(3, 1, 0),
                2,
                1,
                NOON.plusSeconds(60),
                List.of(new AttemptRecord(
                        3, NOON, "node-1", Duration.ofMillis(5), "IOException", "reset by peer", "dead", "3 of 3")));
        assertThat(DeadLetterJson.write(letter))
                .isEqualTo("{\"id\":7,\"original_event\":{\"id\":\"e-1\",\"name\":\"order.paid\",\"source\":\"shop\","
                        + "\"priority\":\"normal\",\"correlation_id\":\"order-17\","
                        + "\"content_type\":\"application/json\",\"headers\":{\"trace\":\"abc\"},"
                        + "\"created\":\"2026-01-01T12:00:00Z\",\"due\":\"2026-01-01T12:00:00Z\","
                        + "\"payload\":{\"total\":12},\"payload_base64\":\"eyJ0b3RhbCI6IDEyfQ==\"},"
                        + "\"idempotency_key\":\"e-1:order-17\",\"attempt_count\":3,\"last_error\":\"reset by peer\","
                        + "\"error_type\":\"IOException\",\"abandoned_reason\":\"max_attempts_exceeded\","
                        + "\"service_name\":\"billing\",\"timestamp\":\"2026-01-01T12:01:00Z\","
                        + "\"fingerprint\":\"c0ffee\",\"failed\":3,\"interrupted\":1,\"crashed\":0,\"redrives\":2,"
                        + "\"automatic_redrives\":1,\"edited\":true,\"original_payload_base64\":\"b2xk\","
                        + "\"history\":[{\"number\":3,\"at\":\"2026-01-01T12:00:00Z\",\"node\":\"node-1\","
                        + "\"duration\":\"PT0.005S\",\"error_type\":\"IOException\",\"message\":\"reset by peer\","
                        + "\"decision\":\"dead\",\"why\":\"3 of 3\"}]}");
    }

    @Test
    void every_letter_comes_back_as_it_was_on_one_line() {
        for (long seed = 0; seed < 1_000; seed++) {
            DeadLetter letter = new SampleLetters(new Random(seed)).letter();
            String json = DeadLetterJson.write(letter);
            assertThat(json).as("seed " + seed).doesNotContain("\n", "\r");
            DeadLetter back = DeadLetterJson.read(json, 1);
            assertThat(back.originalPayload().map(HexFormat.of()::formatHex))
                    .as("seed " + seed)
                    .isEqualTo(letter.originalPayload().map(HexFormat.of()::formatHex));
            assertThat(withOriginalOf(letter, back)).as("seed " + seed).isEqualTo(letter);
        }
    }

    @Test
    void a_payload_that_reads_back_exactly_is_written_once() {
        assertThat(written(event().json("{\"a\":[1,null,\"x\"]}")))
                .contains("\"payload\":{\"a\":[1,null,\"x\"]}")
                .doesNotContain("base64");
        assertThat(written(event().text("hello")))
                .contains("\"payload\":\"hello\"")
                .doesNotContain("base64");
        assertThat(written(event())).doesNotContain("\"payload");
    }

    @Test
    void a_payload_that_is_no_text_is_written_in_base64_only() {
        assertThat(written(event().payload(new byte[] {-1, 0}, "text/plain")))
                .contains("\"payload_base64\":\"/wA=\"")
                .doesNotContain("\"payload\":");
    }

    @Test
    void a_letter_written_by_hand_needs_little() {
        DeadLetter letter = DeadLetterJson.read(SMALLEST, 1);
        assertThat(letter.event().name()).isEqualTo("order.paid");
        assertThat(letter.event().id()).isNotBlank();
        assertThat(letter.reason()).isEqualTo(Reason.TIMEOUT);
        assertThat(letter.deadAt()).isEqualTo(NOON);
        assertThat(letter.attempts()).isEqualTo(Attempts.NONE);
        assertThat(letter.history()).isEmpty();
    }

    @Test
    void fields_of_a_newer_writer_are_ignored_and_null_is_absent() {
        String json = SMALLEST.replace(
                "\"name\"", "\"new\":{\"deep\":[1]},\"correlation_id\":null,\"headers\":null,\"name\"");
        assertThat(DeadLetterJson.read(json, 1).event().correlationId()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1]|line 4: must be a JSON object",
                "{} {}|line 4: must be one JSON object, got more behind it",
                "{}|line 4: field original_event is missing",
                "{\"original_event\":1}|line 4: field original_event must be an object, got '1'",
                "{\"original_event\":{}}|line 4: field original_event.name is missing",
                "{\"original_event\":{\"name\":7}}|line 4: field original_event.name must be a string, got '7'",
            })
    void a_bad_field_is_refused_with_line_and_field(String json, String message) {
        assertThatThrownBy(() -> DeadLetterJson.read(json, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void a_line_that_is_no_json_is_refused_with_its_number() {
        assertThatThrownBy(() -> DeadLetterJson.read("{\"id\":", 9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("line 9: is not JSON: ");
        assertThatThrownBy(() -> DeadLetterJson.read("", 9)).hasMessage("line 9: must be a JSON object");
    }

    @Test
    void bad_values_are_told_with_line_field_value_and_rule() {
        assertThatThrownBy(() -> read("order.paid", "order paid"))
                .hasMessageStartingWith("line 3: field original_event name must be dotted words")
                .hasMessageEndingWith("got 'order paid'");
        assertThatThrownBy(() -> read("timeout", "boredom"))
                .hasMessageStartingWith("line 3: field abandoned_reason cannot be 'boredom': reason must be one of");
        assertThatThrownBy(() -> read("2026-01-01T12:00:00Z", "noon"))
                .hasMessageStartingWith("line 3: field timestamp cannot be 'noon': ");
        assertThatThrownBy(() -> read("\"name\"", "\"payload_base64\":\"?\",\"name\""))
                .hasMessageStartingWith("line 3: field original_event.payload_base64 cannot be '?': ");
        assertThatThrownBy(() -> read("\"abandoned", "\"history\":[{\"at\":\"x\"}],\"abandoned"))
                .hasMessageStartingWith("line 3: field history[0].at cannot be 'x': ");
        assertThatThrownBy(() -> read("\"abandoned", "\"failed\":99999999999,\"abandoned"))
                .hasMessageStartingWith("line 3: field failed cannot be '99999999999': ");
        assertThatThrownBy(() -> read("\"abandoned", "\"failed\":1.5,\"abandoned"))
                .hasMessage("line 3: field failed must be a whole number, got '1.5'");
        assertThatThrownBy(() -> read("\"name\"", "\"headers\":{\"a\":[]},\"name\""))
                .hasMessage("line 3: field original_event.headers.a must be a string, got '[]'");
    }

    /** An array equals only itself; with the same array, records can be compared. */
    private static DeadLetter withOriginalOf(DeadLetter original, DeadLetter letter) {
        return new DeadLetter(
                letter.id(),
                letter.event(),
                original.originalPayload(),
                letter.reason(),
                letter.errorType(),
                letter.lastError(),
                letter.fingerprint(),
                letter.service(),
                letter.attempts(),
                letter.redrives(),
                letter.automaticRedrives(),
                letter.deadAt(),
                letter.history());
    }

    private static void read(String part, String replaced) {
        DeadLetterJson.read(SMALLEST.replace(part, replaced), 3);
    }

    private static String written(Event.Builder event) {
        return DeadLetterJson.write(new DeadLetter(
                1,
                event.build(),
                Optional.empty(),
                Reason.TIMEOUT,
                "T",
                "m",
                "f",
                "s",
                Attempts.NONE,
                0,
                0,
                NOON,
                List.of()));
    }

    private static Event.Builder event() {
        return Event.named("order.paid").id("e-1").source("shop").created(NOON);
    }
}

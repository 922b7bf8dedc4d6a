package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPayloadTest {

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "null", "1", "\"a\"", " {\"a\": [1, 2.5e3, true]}\n"})
    void json_is_taken(String json) {
        assertThat(JsonPayload.complaint(json)).isEmpty();
        assertThat(Event.named("a.b").source("s").json(json).build().text()).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{not json        | line 1, column 2",
                "{\"a\": 1         | line 1, column",
                "{\"a\": [1, }]    | line 1, column 11",
                "{} {}            | line 1, column 4: there is more behind",
                "''               | it is empty",
                "\"a\\q\"          | line 1, column",
                "01               | line 1, column",
            })
    void a_payload_that_is_no_json_is_refused_with_the_position(String text, String where) {
        assertThat(JsonPayload.complaint(text))
                .hasValueSatisfying(told -> assertThat(told).startsWith(where));
        assertThatThrownBy(() -> Event.named("order.paid").json(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("payload of event 'order.paid' must be JSON: " + where);
    }

    @Test
    void a_complaint_quotes_nothing_of_the_payload() {
        assertThat(JsonPayload.complaint("{\"card\": secret4711}").orElseThrow())
                .startsWith("line 1, column")
                .doesNotContain("secret4711");
    }

    @Test
    void depth_and_length_are_no_mistakes() {
        assertThat(JsonPayload.complaint("[".repeat(5_000) + "]".repeat(5_000))).isEmpty();
        assertThat(JsonPayload.complaint("1".repeat(5_000))).isEmpty();
    }

    @Test
    void bytes_that_are_not_utf_8_are_no_json() {
        assertThat(JsonPayload.complaint(new byte[] {'"', (byte) 0xff, '"'})).hasValue("it is not UTF-8");
        assertThat(JsonPayload.complaint("\"\u00e9\"".getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, true",
        "Application/JSON; charset=utf-8, true",
        "application/cloudevents+json, true",
        "text/plain, false",
        "application/jsonl, false",
    })
    void content_types_that_promise_json(String contentType, boolean json) {
        assertThat(JsonPayload.isJson(contentType)).isEqualTo(json);
    }
}

package io.redrive.events.redaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.core.SettingException;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

    private static final String JSON = "application/json";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/a          | {\"a\":1,\"b\":2}                     | {\"a\":\"[redacted]\",\"b\":2}",
                "/a          | {\"a\":{\"x\":[1,{}]},\"b\":2}         | {\"a\":\"[redacted]\",\"b\":2}",
                "/a/b        | {\"a\":{\"b\":null,\"c\":1},\"b\":1}   | {\"a\":{\"b\":\"[redacted]\",\"c\":1},\"b\":1}",
                "/l/1        | {\"l\":[1,2,3]}                       | {\"l\":[1,\"[redacted]\",3]}",
                "/l/*/n      | {\"l\":[{\"n\":1},{\"m\":2},{\"n\":3}]} | {\"l\":[{\"n\":\"[redacted]\"},{\"m\":2},{\"n\":\"[redacted]\"}]}",
                "/*          | [1,[2],{\"a\":3}]                     | [\"[redacted]\",\"[redacted]\",\"[redacted]\"]",
                "/a~1b       | {\"a/b\":1,\"a\":{\"b\":2}}           | {\"a/b\":\"[redacted]\",\"a\":{\"b\":2}}",
                "/x          | [12345678901234567890,0.1000,1e400]   | [12345678901234567890,0.1000,1e400]",
                "/x          | \"text\"                              | \"text\""
            })
    void a_pointer_replaces_exactly_its_values(String rule, String before, String after) {
        assertThat(redacted(before, rule)).isEqualTo(after);
    }

    @Test
    void a_document_of_any_depth_is_redacted() {
        String deep = "[".repeat(100_000) + "1" + "]".repeat(100_000);
        assertThat(redacted(deep, "/1")).isEqualTo(deep);
    }

    @Test
    void headers_are_found_in_any_case_and_a_payload_that_is_not_json_is_replaced_as_a_whole() {
        Event event = Event.named("order.paid")
                .source("shop")
                .header("X-Token", "secret")
                .text("card 4111")
                .build();
        Event redacted = Redaction.of(List.of("header:x-token", "/card")).event(event);
        assertThat(redacted.headers()).containsEntry("X-Token", "[redacted]");
        assertThat(redacted.text()).isEqualTo("[redacted]");
        assertThat(Redaction.of(List.of("header:x-token")).event(event).text()).isEqualTo("card 4111");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "card", "/", "header:", "headers:x"})
    void a_rule_of_no_known_kind_is_refused_by_key_rule_and_value(String rule) {
        assertThatThrownBy(() -> Redaction.of(List.of("/ok", rule)))
                .isInstanceOfSatisfying(SettingException.class, refusal -> {
                    assertThat(refusal.key()).isEqualTo("rules[1]");
                    assertThat(refusal.rule()).startsWith("must be a JSON pointer such as /card/number");
                    assertThat(refusal.value()).isEqualTo(rule);
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pattern:(abc  | must be a regular expression after pattern: (Unclosed group at character 13)",
                "pattern:a*    | must not match the empty text",
                "pattern:      | must not match the empty text"
            })
    void a_wrong_pattern_is_refused(String rule, String message) {
        assertThatThrownBy(() -> Redaction.of(List.of(rule))).hasMessageContaining(message);
    }

    @Test
    void a_file_of_rules_skips_comments_and_names_the_line_of_a_mistake() {
        Redaction read = Redaction.ofLines(List.of("# cards", "", " /card "), RedactionMode.STORED);
        assertThat(read.payload(bytes("{\"card\":1}"), JSON)).isEqualTo(bytes("{\"card\":\"[redacted]\"}"));
        assertThatThrownBy(() -> Redaction.ofLines(List.of("# cards", "", "card"), RedactionMode.SHOWN))
                .hasMessageStartingWith("line 3: must be a JSON pointer");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":\"card 4111222233334444 ok\"}  | {\"a\":\"card [redacted] ok\"}",
                "{\"a\":\"4111\\u00322\\u003233334444\"} | {\"a\":\"[redacted]\"}",
                "{\"a\":4111222233334444}             | {\"a\":\"[redacted]\"}",
                "{\"4111222233334444\":1}             | {\"[redacted]\":1}",
                "{\"a\":1,\"a\":4111222233334444}     | {\"a\":1,\"a\":\"[redacted]\"}",
                "[1234567890123456789012345678901234567890,\"4111222233334444\"] | [1234567890123456789012345678901234567890,\"[redacted]\"]"
            })
    void a_pattern_finds_texts_numbers_and_names_also_behind_escapes(String before, String after) {
        assertThat(redacted(before, "pattern:\\b\\d{13,19}\\b")).isEqualTo(after);
    }

    @Test
    void a_payload_without_a_match_keeps_every_byte_and_has_no_mark() {
        Event event = Event.named("order.paid")
                .source("shop")
                .header("a", "b")
                .json("{ \"a\" : 1.000, \"a\": 2 }")
                .build();
        assertThat(Redaction.of(List.of("/b", "pattern:xyz", "header:c")).event(event))
                .isSameAs(event);
    }

    @Test
    void a_payload_with_half_a_surrogate_pair_does_not_fail() {
        String half = "{\"card\":1,\"a\":\"\\ud83d\"}";
        assertThat(redacted(half, "/card")).contains("[redacted]").doesNotContain(":1");
        assertThat(redacted(half, "/other")).isEqualTo(half);
    }

    @Test
    void a_text_payload_and_a_binary_payload_are_searched_by_patterns() {
        Redaction rule = Redaction.of(List.of("pattern:s3cret"));
        assertThat(rule.payload(bytes("my s3cret key"), "text/plain")).isEqualTo(bytes("my [redacted] key"));
        byte[] binary = {-1, 0, 's', '3', 'c', 'r', 'e', 't', -128};
        assertThat(rule.payload(binary, "application/octet-stream"))
                .startsWith(-1, 0, '[')
                .endsWith(']', -128);
        assertThat(rule.payload(bytes("{broken s3cret"), JSON)).isEqualTo(bytes("{broken [redacted]"));
        assertThat(Redaction.of(List.of("/a")).payload(bytes("{broken s3cret"), JSON))
                .isEqualTo(bytes("\"[redacted]\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pattern:(a+)+$", "pattern:(a|aa)+$", "pattern:(?:(?:a|b)*x)+y", "pattern:(.*a){20}$"})
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_pattern_without_end_is_cut_off_and_hides_the_whole_text(String rule) {
        String evil = "a".repeat(3_000) + "!";
        Redaction redaction = Redaction.of(List.of(rule));
        assertThat(redaction.text(evil)).isIn("[redacted: a pattern took too long]", evil);
        String json = "{\"a\":\"" + "a".repeat(100_000) + "!\"}";
        assertThat(redacted(json, rule)).doesNotContain("aaa\",");
    }

    @Test
    void a_search_that_takes_too_long_hides_the_text() {
        assertThat(Redaction.of(List.of("pattern:(a+)+$")).text("a".repeat(3_000) + "!"))
                .isEqualTo("[redacted: a pattern took too long]");
    }

    @Test
    void an_error_text_loses_the_values_that_pointers_and_headers_hide() {
        Event event = Event.named("order.paid")
                .source("shop")
                .header("Authorization", "Bearer abc")
                .json("{\"card\":{\"number\":\"4111 2222\",\"cvv\":987},\"id\":12}")
                .build();
        Redaction rules = Redaction.of(List.of("/card", "header:authorization"));
        assertThat(rules.text("refused 4111 2222 (987) for Bearer abc, order 12", event))
                .isEqualTo("refused [redacted] ([redacted]) for [redacted], order 12");
    }

    @Test
    void a_letter_loses_secrets_in_all_its_texts() {
        Event event = Event.named("order.paid")
                .source("shop")
                .json("{\"card\":\"pan-4111\"}")
                .build();
        AttemptRecord attempt = new AttemptRecord(
                1, Instant.EPOCH, "n", Duration.ZERO, "IOException", "card pan-4111", "dead", "timeout");
        DeadLetter letter = new DeadLetter(
                7,
                event,
                Optional.of(bytes("{\"card\":\"pan-4222\"}")),
                Reason.TIMEOUT,
                "IOException",
                "card pan-4111 was pan-4222",
                "abc",
                "shop",
                new Attempts(1, 0, 0),
                0,
                0,
                Instant.EPOCH,
                List.of(attempt));
        DeadLetter redacted = Redaction.of(List.of("/card")).letter(letter);
        assertThat(DeadLetterJson.write(redacted))
                .doesNotContain("pan-4111", "pan-4222")
                .contains("redrive-redacted");
        assertThat(redacted.lastError()).isEqualTo("card [redacted] was [redacted]");
        assertThat(redacted.originalPayload()).hasValue(bytes("{\"card\":\"[redacted]\"}"));
    }

    @Test
    void an_event_with_all_its_headers_still_gets_the_mark() {
        Event.Builder full = Event.named("order.paid").source("shop").json("{\"card\":1}");
        for (int i = 0; i < Event.MAX_HEADERS; i++) {
            full.header("h" + i, "s3cret");
        }
        Event redacted = Redaction.of(List.of("/card", "header:*")).event(full.build());
        assertThat(redacted.headers()).hasSize(Event.MAX_HEADERS + 1).doesNotContainValue("s3cret");
        assertThat(DeadLetter.redactedParts(redacted)).containsExactly("payload", "headers");
        assertThat(Redaction.of(List.of("/card", "header:*")).event(redacted)).isEqualTo(redacted);
    }

    @Test
    void rules_for_showing_change_nothing_that_is_stored() {
        assertThat(Redaction.of(List.of("/card")).forStorage().isEmpty()).isTrue();
        Redaction stored = Redaction.of(List.of("/card"), RedactionMode.STORED);
        assertThat(stored.forStorage()).isSameAs(stored);
    }

    private static String redacted(String json, String rule) {
        Event event = Event.named("order.paid").source("shop").json(json).build();
        return Redaction.of(List.of(rule)).event(event).text();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void a_following_redaction_has_the_rules_of_the_moment() {
        java.util.concurrent.atomic.AtomicReference<Redaction> current =
                new java.util.concurrent.atomic.AtomicReference<>(Redaction.NONE);
        Redaction following = Redaction.following(current::get);
        Redaction stored = following.forStorage();
        byte[] payload = "{\"card\":\"4111\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertThat(following.isEmpty()).isTrue();
        assertThat(following.payload(payload, "application/json")).isSameAs(payload);

        current.set(Redaction.of(List.of("/card", "pattern:4111"), RedactionMode.STORED));

        assertThat(following.isEmpty()).isFalse();
        assertThat(following.mode()).isEqualTo(RedactionMode.STORED);
        assertThat(new String(following.payload(payload, "application/json"), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("{\"card\":\"[redacted]\"}");
        assertThat(following.text("card 4111")).isEqualTo("card [redacted]");
        assertThat(stored.text("card 4111")).isEqualTo("card [redacted]");

        current.set(Redaction.of(List.of("pattern:4111")));
        assertThat(stored.text("card 4111")).as("shown only").isEqualTo("card 4111");
    }
}

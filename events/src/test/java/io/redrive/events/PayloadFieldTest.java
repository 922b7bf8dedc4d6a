package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PayloadFieldTest {

    @Test
    void a_field_is_read_from_pointer_and_value() {
        PayloadField field = PayloadField.parse("/a~1b/0/c~0d=x=y");
        assertThat(field.pointer()).isEqualTo("/a~1b/0/c~0d");
        assertThat(field.segments()).containsExactly("a/b", "0", "c~d");
        assertThat(field.value()).isEqualTo("x=y");
        assertThat(field).hasToString("/a~1b/0/c~0d=x=y");
        assertThat(PayloadField.parse(field.toString())).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "currency=XBT | must start with a slash",
                "=XBT | must start with a slash",
                "/currency | must be POINTER=VALUE",
                "/a~2b=x | must be written ~0",
                "/a~=x | must be written ~0",
            })
    void a_wrong_field_is_refused_with_the_rule_and_an_example(String text, String rule) {
        assertThatThrownBy(() -> PayloadField.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(rule)
                .hasMessageContaining("got '" + text.split("=", 2)[0]);
    }

    @Test
    void limits_of_a_field_are_named() {
        assertThatThrownBy(() -> PayloadField.parse("/a=" + "x".repeat(501)))
                .hasMessage("the value of a payload field must have at most 500 characters, got 501");
        assertThatThrownBy(() -> PayloadField.parse("/" + "a".repeat(500) + "=x"))
                .hasMessage("the pointer of a payload field must have at most 500 characters, got 501");
        assertThatThrownBy(() -> PayloadField.parse("/a".repeat(33) + "=x"))
                .hasMessage("the pointer of a payload field must have at most 32 names and indexes, got 33");
        assertThatThrownBy(() -> PayloadField.parse("/a=\0")).hasMessageContaining("U+0000");
        assertThatThrownBy(() -> PayloadField.parse("/a=\ud800")).hasMessageContaining("half surrogate pairs");
        assertThatThrownBy(() -> new PayloadField("/a=b", "x")).hasMessageContaining("no equals sign");
    }

    @Test
    void a_filter_says_its_field_in_words_and_can_lose_it() {
        LetterFilter filter = LetterFilter.ALL.withName("order.*").withPayload(PayloadField.parse("/a=x"));
        assertThat(filter.describe()).isEqualTo("name order.*, payload '/a=x'");
        assertThat(filter.readsPayloads()).isTrue();
        assertThat(filter.withoutPayload()).isEqualTo(LetterFilter.ALL.withName("order.*"));
        assertThat(filter.withoutPayload().readsPayloads()).isFalse();
    }

    @Test
    void the_last_of_several_fields_with_one_name_counts_also_when_it_is_an_object() {
        assertThat(isIn("/a=x", "{\"a\":\"x\",\"a\":{}}")).isFalse();
        assertThat(isIn("/a/b=x", "{\"a\":{\"b\":\"x\"},\"a\":1}")).isFalse();
        assertThat(isIn("/a/b=x", "{\"a\":1,\"a\":{\"b\":\"x\",\"c\":[[{}],1]}}"))
                .isTrue();
    }

    @Test
    void a_payload_above_a_mebibyte_has_no_field() {
        String json = "{\"a\":\"x\"}";
        assertThat(isIn("/a=x", json + " ".repeat(PayloadField.MAX_BYTES - json.length())))
                .isTrue();
        assertThat(isIn("/a=x", json + " ".repeat(PayloadField.MAX_BYTES - json.length() + 1)))
                .isFalse();
    }

    private static boolean isIn(String field, String json) {
        return PayloadField.parse(field).isIn(json.getBytes(StandardCharsets.UTF_8));
    }
}

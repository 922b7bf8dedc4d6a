package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonPointer;

final class JsonValueTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"b\":1,\"a\":[true,false,null,\"x\"],\"c\":{}}",
                "[]",
                "12345678901234567890.10",
                "1e400",
                "-0.0",
                "\"a \\\"quoted\\\" \\\\ line\\nbreak\"",
                "\"é 漢 😀\""
            })
    void parsed_json_is_written_back_unchanged(String json) {
        assertThat(JsonValue.parse(json)).hasToString(json);
    }

    @Test
    void a_lone_surrogate_survives_encoding_as_utf8() {
        String json = JsonValue.parse("\"\\ud83d x \\ude00\"").toString();

        assertThat(new String(json.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo("\"\\ud83d x \\ude00\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{\"a\":}", "nul", "1 2", "{} {}", "[1,]", "NaN", "'a'"})
    void text_that_is_not_json_is_refused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonValue.parse(text))
                .withMessageStartingWith("is not JSON");
    }

    @Test
    void json_nested_too_deep_is_refused_and_does_not_overflow_the_stack() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonValue.parse("[".repeat(100_000)))
                .withMessageStartingWith("is not JSON");
    }

    @Test
    void a_pointer_leads_to_members_and_items() {
        JsonValue value = JsonValue.parse("{\"a\":[{\"b/c\":1},2],\"\":3}");

        assertThat(value.at(at("/a/0/b~1c"))).contains(new JsonValue.Num("1"));
        assertThat(value.at(at("/a/1"))).contains(new JsonValue.Num("2"));
        assertThat(value.at(at("/"))).contains(new JsonValue.Num("3"));
        assertThat(value.at(at(""))).contains(value);
        assertThat(value.at(at("/a/2"))).isEmpty();
        assertThat(value.at(at("/a/b"))).isEmpty();
        assertThat(value.at(at("/a/1/x"))).isEmpty();
    }

    @Test
    void a_value_is_put_where_a_pointer_leads() {
        JsonValue value = JsonValue.parse("{\"a\":[1,2],\"b\":\"x\"}");
        JsonValue three = new JsonValue.Num("3");

        assertThat(value.with(at("/c/d"), three)).hasToString("{\"a\":[1,2],\"b\":\"x\",\"c\":{\"d\":3}}");
        assertThat(value.with(at("/a/1"), three)).hasToString("{\"a\":[1,3],\"b\":\"x\"}");
        assertThat(value.with(at("/b"), three)).hasToString("{\"a\":[1,2],\"b\":3}");
        assertThat(value.with(at(""), three)).isEqualTo(three);
        assertThat(value).hasToString("{\"a\":[1,2],\"b\":\"x\"}");
    }

    @Test
    void a_value_can_be_put_only_into_an_object_or_array() {
        JsonValue value = JsonValue.parse("{\"a\":[1],\"b\":\"x\"}");

        assertThatExceptionOfType(SampleException.class)
                .isThrownBy(() -> value.with(at("/b/c"), JsonValue.Word.TRUE))
                .withMessage("the sample must have an object where 'c' is to be set, got \"x\"");
        assertThatExceptionOfType(SampleException.class).isThrownBy(() -> value.with(at("/a/7"), JsonValue.Word.TRUE));
    }

    private static JsonPointer at(String pointer) {
        return JsonPointer.compile(pointer);
    }
}

package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Event;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

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
        Event redacted = Redaction.of(List.of("header:x-token", "/card")).apply(event);
        assertThat(redacted.headers()).containsEntry("X-Token", "[redacted]");
        assertThat(redacted.text()).isEqualTo("[redacted]");
        assertThat(Redaction.of(List.of("header:x-token")).apply(event).text()).isEqualTo("card 4111");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "card", "/", "header:", "headers:x"})
    void a_rule_that_is_neither_pointer_nor_header_is_refused(String rule) {
        assertThatThrownBy(() -> Redaction.of(List.of(rule)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be a JSON pointer such as /card/number", "got '" + rule + "'");
    }

    private static String redacted(String json, String rule) {
        Event event = Event.named("order.paid").source("shop").json(json).build();
        return Redaction.of(List.of(rule)).apply(event).text();
    }
}

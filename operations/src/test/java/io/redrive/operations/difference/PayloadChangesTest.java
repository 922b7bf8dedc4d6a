package io.redrive.operations.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Event;
import io.redrive.operations.difference.PayloadChanges.Change;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PayloadChangesTest {

    @Test
    void fields_that_differ_are_told_by_their_pointers() {
        PayloadChanges changes = PayloadChanges.between(
                event("{\"a\": 1, \"b\": [1, 2], \"c\": {\"d/e\": \"x\"}, \"same\": true}"),
                event("{\"a\": \"1\", \"b\": [1, 3, 4], \"c\": {}, \"same\": true}"));
        assertThat(changes.changes())
                .containsExactly(
                        change("/a", "1", "\"1\""),
                        change("/b/1", "2", "3"),
                        change("/c/d~1e", "\"x\"", null),
                        change("/b/2", null, "4"),
                        change("/c", null, "{}"));
        assertThat(changes.more()).isFalse();
    }

    @Test
    void headers_and_attributes_that_differ_are_told() {
        PayloadChanges changes = PayloadChanges.between(
                event("{}").toBuilder().header("tenant", "a").orderingKey("k").build(),
                event("{}").toBuilder().header("trace", "t").source("other").build());
        assertThat(changes.changes())
                .containsExactly(
                        change("header tenant", "\"a\"", null),
                        change("header trace", null, "\"t\""),
                        change("source", "shop", "other"),
                        change("ordering key", "k", null));
    }

    @Test
    void equal_events_have_no_changes_and_other_white_space_is_named() {
        assertThat(PayloadChanges.between(event("{\"a\": 1}"), event("{\"a\": 1}"))
                        .changes())
                .isEmpty();
        assertThat(PayloadChanges.between(event("{\"a\": 1}"), event("{\"a\":1}"))
                        .changes())
                .containsExactly(change("payload", "the same JSON", "the same JSON, written differently"));
    }

    @Test
    void payloads_that_are_not_json_are_told_as_a_whole() {
        assertThat(PayloadChanges.between(event("{\"a\": 1}"), event("oops")).changes())
                .containsExactly(change("payload", "8 bytes (JSON)", "4 bytes (text)"));
        assertThat(PayloadChanges.between(event(""), event("x")).changes())
                .containsExactly(change("payload", "0 bytes (empty)", "1 byte (text)"));
    }

    @Test
    void huge_and_deep_payloads_are_compared_up_to_a_limit_and_say_so() {
        Event many = event("[" + "1,".repeat(100_000) + "1]");
        Event others = event("[" + "2,".repeat(100_000) + "2]");
        PayloadChanges changes = PayloadChanges.between(many, others);
        assertThat(changes.changes()).hasSize(PayloadChanges.MAX_CHANGES);
        assertThat(changes.more()).isTrue();
        String deep = "[".repeat(50_000);
        PayloadChanges deepChanges =
                PayloadChanges.between(event(deep + "1" + "]".repeat(50_000)), event(deep + "2" + "]".repeat(50_000)));
        assertThat(deepChanges.more()).isTrue();
    }

    private static Change change(String part, String left, String right) {
        return new Change(part, Optional.ofNullable(left), Optional.ofNullable(right));
    }

    private static Event event(String payload) {
        return Event.named("order.paid")
                .source("shop")
                .payload(payload.getBytes(StandardCharsets.UTF_8), "application/json")
                .build();
    }
}

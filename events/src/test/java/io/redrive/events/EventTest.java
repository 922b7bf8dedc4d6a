package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private final ManualTime time = new ManualTime(NOON);

    @Test
    void fields_that_are_not_given_get_a_default() {
        Event event = event().build();
        assertThat(UUID.fromString(event.id()).version()).isEqualTo(7);
        assertThat(event.priority()).isEqualTo(Priority.NORMAL);
        assertThat(event.correlationId()).isEmpty();
        assertThat(event.orderingKey()).isEmpty();
        assertThat(event.payload()).isEmpty();
        assertThat(event.contentType()).isEqualTo("application/octet-stream");
        assertThat(event.headers()).isEmpty();
        assertThat(event.created()).isEqualTo(NOON);
        assertThat(event.due()).isEqualTo(NOON);
        assertThat(event.deadline()).isEmpty();
    }

    @Test
    void times_are_kept_in_microseconds() {
        Event event = event().created(NOON.plusNanos(1_999)).build();
        assertThat(event.created()).isEqualTo(NOON.plusNanos(1_000));
        assertThat(event.due()).isEqualTo(NOON.plusNanos(1_000));
    }

    @Test
    void a_delay_counts_from_when_the_event_was_made() {
        Event event = event().created(NOON).delay(Duration.ofMinutes(5)).build();
        assertThat(event.due()).isEqualTo(NOON.plusSeconds(300));
    }

    @Test
    void payload_and_headers_cannot_be_changed_from_outside() {
        byte[] bytes = {1, 2};
        Event event = event().payload(bytes, "x/y").header("a", "b").build();
        bytes[0] = 9;
        event.payload()[1] = 9;
        assertThat(event.payload()).containsExactly(1, 2);
        assertThat(event.payloadSize()).isEqualTo(2);
        assertThatThrownBy(() -> event.headers().put("c", "d")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void a_payload_without_copy_is_the_array_of_the_caller_and_readers_get_copies() {
        byte[] bytes = {1};
        Event event = event().payloadWithoutCopy(bytes, "x/y").build();
        event.payload()[0] = 2;
        assertThat(bytes).containsExactly(1);
        assertThat(event.contentType()).isEqualTo("x/y");
        bytes[0] = 3;
        assertThat(event.payload()).containsExactly(3);
    }

    /** Few headers are in an array, more of them in a map that grows: both are the map that the builder was told. */
    @Test
    void any_number_of_headers_is_a_map_in_the_order_of_their_first_addition() {
        Map<String, String> told = new LinkedHashMap<>();
        Event.Builder builder = event();
        for (int i = 0; i < 12; i++) {
            String name = "h" + i * 7 % 9;
            told.put(name, "v" + i);
            Map<String, String> headers = builder.header(name, "v" + i).build().headers();
            assertThat(headers).containsExactlyEntriesOf(told).hasSameHashCodeAs(told);
            assertThat(headers.keySet()).containsExactlyElementsOf(told.keySet());
            told.forEach((key, value) -> assertThat(headers.get(key)).isEqualTo(value));
            assertThat(headers.get("none")).isNull();
            assertThat(headers.containsKey(name)).isTrue();
            Map<String, String> heard = new LinkedHashMap<>();
            headers.forEach(heard::put);
            assertThat(heard).containsExactlyEntriesOf(told);
            assertThat(event().header("h0", "before").headers(headers).build().headers())
                    .containsAllEntriesOf(told);
            assertThat(event().headers(told).build().headers()).containsExactlyEntriesOf(told);
        }
    }

    @Test
    void a_header_that_is_taken_away_leaves_the_others_in_order() {
        Event whole = event().header("a", "1").header("b", "2").header("c", "3").build();
        Event less = whole.toBuilder().withoutHeader("b").withoutHeader("none").build();
        assertThat(less.headers()).containsExactly(Map.entry("a", "1"), Map.entry("c", "3"));
        assertThat(whole.headers()).hasSize(3);
    }

    @Test
    void an_absent_header_value_is_refused_by_its_rule_among_many_headers_too() {
        assertRefused("header 'h0' must be at most 2000 characters of well-formed text, got null", event -> {
            event.header("h0", null);
            for (int i = 1; i < 9; i++) {
                event.header("h" + i, "x");
            }
            return event;
        });
    }

    @Test
    void headers_of_an_event_stay_in_their_order_when_its_builder_goes_on() {
        Event.Builder builder = event().header("b", "1");
        Event one = builder.build();
        Event two = builder.header("a", "2").build();
        Event three = builder.header("c", "3").build();
        assertThat(one.headers()).containsExactly(Map.entry("b", "1"));
        assertThat(two.headers()).containsExactly(Map.entry("b", "1"), Map.entry("a", "2"));
        assertThat(three.headers()).containsExactly(Map.entry("b", "1"), Map.entry("a", "2"), Map.entry("c", "3"));
        assertThatThrownBy(() -> two.headers().put("c", "d")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void a_builder_from_an_event_makes_an_equal_one() {
        Event event = event().correlationId("c")
                .orderingKey("k")
                .priority(Priority.CRITICAL)
                .json("{}")
                .header("a", "b")
                .delay(Duration.ofSeconds(1))
                .deadline(NOON.plusSeconds(9))
                .build();
        assertThat(event.toBuilder().build()).isEqualTo(event).hasSameHashCodeAs(event);
        assertThat(event.toBuilder().text("other").build()).isNotEqualTo(event);
        assertThat(event.toBuilder().orderingKey(null).build()).isNotEqualTo(event);
    }

    @Test
    void the_idempotency_key_is_made_of_id_and_correlation_id() {
        assertThat(event().id("a").build().idempotencyKey()).isEqualTo("a");
        assertThat(event().id("a").correlationId("c").build().idempotencyKey()).isEqualTo("a:c");
    }

    @Test
    void the_payload_stays_out_of_logs() {
        assertThat(event().id("a").text("secret").build()).hasToString("order.paid a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a.", ".a", "a..b", "a b", "a/b", "é", "a.*"})
    void a_bad_name_is_refused(String name) {
        assertThatThrownBy(() -> Event.named(name).source("s").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name must be dotted words of letters, digits, '_' or '-', at most 200 characters, "
                        + "such as ml.run.started; got '" + name + "'");
    }

    @Test
    void a_name_may_have_two_hundred_characters() {
        assertThat(Event.named("n".repeat(200)).source("s").build().name()).hasSize(200);
        assertThatThrownBy(() -> Event.named("n".repeat(201)).source("s").build())
                .hasMessageEndingWith("got '" + "n".repeat(60) + "…' (201 characters)");
        assertThatThrownBy(() -> Event.named(null).source("s").build()).hasMessageEndingWith("got null");
    }

    @Test
    void short_texts_are_refused_by_field_rule_and_value() {
        String rule = " must be 1 to 200 characters of well-formed text, not blank, without control characters; got ";
        assertRefused("source" + rule + "null", event -> event.source(null));
        assertRefused("source" + rule + "' '", event -> event.source(" "));
        assertRefused("id" + rule + "''", event -> event.id(""));
        assertRefused("id" + rule + "'a\nb'", event -> event.id("a\nb"));
        assertRefused("correlationId" + rule + "'\uD800'", event -> event.correlationId("\uD800"));
        assertRefused(
                "orderingKey" + rule + "'" + "k".repeat(60) + "…' (201 characters)",
                event -> event.orderingKey("k".repeat(201)));
        assertRefused("contentType" + rule + "null", event -> event.contentType(null));
        assertRefused("header name" + rule + "''", event -> event.header("", "x"));
    }

    @Test
    void headers_have_limits() {
        assertRefused("headers must be at most 64 entries, got 65", event -> {
            for (int i = 0; i < 65; i++) {
                event.header("h" + i, "x");
            }
            return event;
        });
        assertThat(event().header("h", "x".repeat(2_000)).build().headers()).hasSize(1);
        assertRefused(
                "header 'h' must be at most 2000 characters of well-formed text, got '" + "x".repeat(60)
                        + "…' (2001 characters)",
                event -> event.header("h", "x".repeat(2_001)));
        assertRefused(
                "header 'h' must be at most 2000 characters of well-formed text, got null",
                event -> event.header("h", null));
        assertRefused(
                "header 'h' must be at most 2000 characters of well-formed text, got '\u0000'",
                event -> event.header("h", "\u0000"));
    }

    @Test
    void a_deadline_must_be_after_due() {
        assertRefused(
                "deadline must be after due 2026-01-01T12:00:00Z, got 2026-01-01T12:00:00Z",
                event -> event.deadline(NOON));
    }

    private void assertRefused(String message, UnaryOperator<Event.Builder> change) {
        assertThatThrownBy(() -> change.apply(event()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private Event.Builder event() {
        return Event.named("order.paid").source("shop").time(time);
    }
}

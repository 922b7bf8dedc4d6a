package io.redrive.operations.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Event;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Payloads made to break a comparison: no payload may throw, take long, or put words into the result. */
class HostilePayloadsTest {

    private static final List<IntFunction<String>> HOSTILE = List.of(
            i -> "",
            i -> "{",
            i -> "[".repeat(4_000),
            i -> "{\"a\":".repeat(600),
            i -> "{\"a\":".repeat(600) + "1" + "}".repeat(600),
            i -> "[" + "[],".repeat(1_000) + "[]]",
            i -> "[" + "1,".repeat(40_000) + "1]",
            i -> "{\"a\": 1e999999999, \"b\": -0.0, \"c\": " + "9".repeat(3_000) + "}",
            i -> "{\"a\": 1, \"a\": 2, \"a\": 3}",
            i -> "{\"\": {\"\": {\"~/\": 1}}}",
            i -> "{\"" + "k".repeat(3_000) + "\": {\"x\": 1}}",
            i -> "{\"\u001b[31mred\u001b[0m\": \"\u0007\u202e\"}",
            i -> "{} {}",
            i -> "{\"a\": \"\\ud800\"}",
            i -> "\uFEFF{\"a\": 1}",
            i -> "NaN",
            i -> IntStream.range(0, 300)
                    .mapToObj(k -> "\"k" + i + "-" + k + "\": 1")
                    .collect(Collectors.joining(",", "{", "}")));

    @Test
    void no_hostile_payload_breaks_a_comparison() {
        Random random = new Random(1);
        for (IntFunction<String> letters : HOSTILE) {
            for (IntFunction<String> handled : HOSTILE) {
                Documents documents = new Documents().letters(3, letters).handled(3, handled);
                assertThat(documents.sentences()).isEmpty();
            }
        }
        Documents binary = new Documents();
        for (int i = 0; i < 50; i++) {
            byte[] bytes = new byte[300];
            random.nextBytes(bytes);
            bytes[0] = (byte) 0xFF;
            Event event = Event.named("order.paid")
                    .source("shop")
                    .payload(bytes, "application/json")
                    .build();
            binary.letter(event, Documents.START.plusSeconds(i), "node-1");
        }
        binary.handled(200, i -> "{\"a\": 1}");
        assertThat(binary.sentences())
                .contains("all 50 letters have payload = binary; of 200 handled events none")
                .noneMatch(sentence -> sentence.contains("/a"));
    }

    @Test
    void half_a_million_different_keys_take_bounded_memory_and_are_silent() {
        IntFunction<String> distinct = i -> IntStream.range(0, 250)
                .mapToObj(k -> "\"k" + (10_000 + i) + "-" + k + "\": " + k)
                .collect(Collectors.joining(",", "{", "}"));
        Documents documents = new Documents().letters(1_000, distinct).handled(1_000, i -> distinct.apply(1_000 + i));
        assertThat(documents.letters.stream()
                        .flatMap(document -> document.values().keySet().stream())
                        .distinct()
                        .count())
                .isLessThanOrEqualTo(EventDocumentReader.MAX_SUBJECTS + 20);
        assertThat(documents.sentences()).isEmpty();
    }

    @Test
    void a_field_of_many_values_keeps_few() {
        Documents documents = new Documents()
                .letters(
                        1,
                        i -> IntStream.range(0, 1_000)
                                .mapToObj(String::valueOf)
                                .collect(Collectors.joining(",", "[", "]")));
        assertThat(documents.letters.get(0).of(new Subject(Subject.Kind.FIELD, "/*")))
                .hasSizeLessThanOrEqualTo(PayloadFields.MAX_VALUES);
    }
}

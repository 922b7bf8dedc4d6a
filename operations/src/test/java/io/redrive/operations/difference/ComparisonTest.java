package io.redrive.operations.difference;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    private static final String[] USUAL = {"EUR", "USD", "GBP"};

    private static String currency(String value, int i) {
        return "{\"id\": \"o-" + i + "\", \"currency\": \"" + value + "\", \"total\": " + i * 7919 % 1000 + "}";
    }

    @Test
    void the_value_of_a_field_separates_letters_from_handled_events() {
        Documents documents =
                new Documents().letters(412, i -> currency("XBT", i)).handled(1_000, i -> currency(USUAL[i % 3], i));
        assertThat(documents.sentences())
                .containsExactly("all 412 letters have /currency = \"XBT\"; of 1,000 handled events none");
    }

    @Test
    void a_share_is_told_exactly() {
        Documents documents = new Documents()
                .letters(100, i -> currency(i < 90 ? "XBT" : "EUR", i))
                .handled(1_000, i -> currency(i < 12 ? "XBT" : USUAL[i % 3], i));
        assertThat(documents.sentences())
                .containsExactly("90 of 100 letters have /currency = \"XBT\"; of 1,000 handled events 12");
    }

    @Test
    void a_missing_object_is_told_once_and_not_for_each_of_its_fields() {
        Documents documents = new Documents()
                .letters(50, i -> "{\"id\": " + i * 31 % 50 + "}")
                .handled(
                        200,
                        i -> "{\"id\": " + i * 31 % 50 + ", \"customer\": {\"name\": \"n" + i + "\", \"age\": "
                                + i * 17 % 90 + "}}");
        assertThat(documents.sentences())
                .containsExactly("all 50 letters have no /customer; of 200 handled events none");
    }

    @Test
    void another_type_of_a_field_separates() {
        Documents documents = new Documents()
                .letters(50, i -> "{\"total\": \"" + i + ",00\"}")
                .handled(200, i -> "{\"total\": " + i * 31 % 200 + "}");
        assertThat(documents.sentences())
                .containsExactly("all 50 letters have /total that is a text; of 200 handled events none");
    }

    @Test
    void a_range_of_numbers_separates() {
        Documents documents = new Documents()
                .letters(50, i -> "{\"total\": " + (20_000 + i * 31 % 50) + "}")
                .handled(200, i -> "{\"total\": " + i * 31 % 200 + "}");
        assertThat(documents.sentences())
                .containsExactly("all 50 letters have /total above 199; of 200 handled events none");
    }

    @Test
    void longer_texts_and_longer_arrays_separate() {
        Documents documents = new Documents()
                .letters(
                        50,
                        i -> "{\"name\": \"" + "x".repeat(260 + i * 31 % 50) + "\", \"items\": ["
                                + "1,".repeat(20 + i * 31 % 7) + "1]}")
                .handled(
                        200,
                        i -> "{\"name\": \"" + "x".repeat(i * 31 % 200) + "\", \"items\": [" + "1,".repeat(i * 31 % 10)
                                + "1]}");
        assertThat(documents.sentences())
                .contains(
                        "all 50 letters have /name longer than 199 characters; of 200 handled events none",
                        "all 50 letters have /items with more than 10 elements; of 200 handled events none");
    }

    @Test
    void an_element_of_an_array_separates() {
        Documents documents = new Documents()
                .letters(50, i -> "{\"items\": [{\"sku\": \"a" + i + "\"}, {\"sku\": \"bad\"}]}")
                .handled(200, i -> "{\"items\": [{\"sku\": \"a" + i + "\"}, {\"sku\": \"b" + i + "\"}]}");
        assertThat(documents.sentences())
                .containsExactly("all 50 letters have /items/*/sku = \"bad\"; of 200 handled events none");
    }

    @Test
    void headers_source_ordering_key_priority_and_content_type_separate() {
        Documents documents = new Documents()
                .letters(
                        50,
                        i -> "{}",
                        event -> event.header("tenant", "acme")
                                .source("legacy")
                                .orderingKey("customer-7")
                                .contentType("text/json"))
                .handled(
                        200, i -> "{}", event -> event.header("tenant", "other").header("trace", "t"));
        assertThat(documents.sentences())
                .containsExactlyInAnyOrder(
                        "all 50 letters have header tenant = \"acme\"; of 200 handled events none",
                        "all 50 letters have no header trace; of 200 handled events none",
                        "all 50 letters have source = legacy; of 200 handled events none",
                        "all 50 letters have ordering key = \"customer-7\"; of 200 handled events none",
                        "all 50 letters have content type = text/json; of 200 handled events none");
    }

    @Test
    void the_node_of_the_last_attempt_separates() {
        Documents documents = new Documents();
        for (int i = 0; i < 60; i++) {
            documents.letter(
                    Documents.event("{}", event -> event),
                    Documents.START.plusSeconds(i),
                    i < 57 ? "node-3" : "node-1");
            documents.handled(Documents.event("{}", event -> event), Documents.START.plusSeconds(i), "node-" + i % 2);
        }
        assertThat(documents.sentences())
                .containsExactly("57 of 60 letters have node = node-3; of 60 handled events none");
    }

    @Test
    void versions_separate() {
        List<Difference> differences = Comparison.of(
                List.of(),
                List.of(),
                List.of(Counts.ofVersions(Map.of("2.4", 5_000_000L), Map.of("2.3", 700L, "2.4", 300L))));
        assertThat(differences)
                .extracting(Difference::sentence)
                .contains("all 5,000,000 letters have version = 2.4; of 1,000 handled events 300");
    }

    @Test
    void the_time_separates_only_where_the_sample_covers_it() {
        Documents covered = new Documents();
        Documents uncovered = new Documents();
        for (int i = 0; i < 600; i++) {
            covered.handled(Documents.event("{}", event -> event), Documents.START.plusSeconds(10L * i), "node-1");
            uncovered.handled(Documents.event("{}", event -> event), Documents.START.plusSeconds(10L * i), "node-1");
        }
        for (int i = 0; i < 50; i++) {
            covered.letter(
                    Documents.event("{}", event -> event), Documents.START.plusSeconds(5_400 + 10L * i), "node-1");
            uncovered.letter(Documents.event("{}", event -> event), Documents.START.minusSeconds(10L * i), "node-1");
        }
        assertThat(covered.sentences())
                .containsExactly("all 50 letters died after 2026-03-01T11:29:50Z; of 600 handled events 60");
        assertThat(uncovered.sentences()).isEmpty();
    }

    @Test
    void the_hour_of_the_day_separates_when_the_sample_has_every_hour() {
        Documents documents = new Documents();
        for (int i = 0; i < 600; i++) {
            documents.handled(Documents.event("{}", event -> event), Documents.START.plusSeconds(300L * i), "node-1");
        }
        for (int i = 0; i < 60; i++) {
            // Two days, always between 12:00 and 13:00.
            documents.letter(
                    Documents.event("{}", event -> event),
                    Documents.START.plusSeconds(7_200 + 60L * (i % 30) + 86_400L * (i % 2)),
                    "node-1");
        }
        assertThat(documents.sentences())
                .containsExactly("all 60 letters died between 12:00 and 13:00 UTC; of 600 handled events 24");
    }

    @Test
    void a_counter_or_a_clock_in_the_payload_does_not_separate() {
        Documents documents = new Documents();
        for (int i = 0; i < 200; i++) {
            String later = "{\"number\": " + (5_000 + i) + ", \"at\": " + (1_800_000_000_000L + i) + "}";
            documents.handled(Documents.event(later, event -> event), Documents.START.plusSeconds(i), "node-1");
        }
        documents.letters(50, i -> "{\"number\": " + i + ", \"at\": " + (1_700_000_000_000L + i) + "}");
        assertThat(documents.sentences()).noneMatch(sentence -> sentence.contains("/"));
    }

    @Test
    void one_letter_proves_nothing_and_two_need_hundreds_of_handled_events() {
        assertThat(new Documents()
                        .letters(1, i -> currency("XBT", i))
                        .handled(1_000, i -> currency("EUR", i))
                        .sentences())
                .isEmpty();
        assertThat(new Documents()
                        .letters(2, i -> currency("XBT", i))
                        .handled(20, i -> currency("EUR", i))
                        .sentences())
                .isEmpty();
        assertThat(new Documents()
                        .letters(2, i -> currency("XBT", 7))
                        .handled(1_000, i -> currency("EUR", i))
                        .sentences())
                .anyMatch(sentence -> sentence.startsWith("all 2 letters have /currency = \"XBT\""));
    }

    @Test
    void no_documents_on_a_side_tell_nothing() {
        assertThat(new Documents().sentences()).isEmpty();
        assertThat(new Documents().letters(100, i -> currency("XBT", i)).sentences())
                .isEmpty();
        assertThat(new Documents().handled(100, i -> currency("XBT", i)).sentences())
                .isEmpty();
    }

    @Test
    void a_cut_payload_leaves_open_whether_it_has_the_fields_behind_the_cut() {
        String filler = "\"filler\": \"" + "x".repeat(5_000) + "\"";
        Documents documents = new Documents()
                .letters(50, i -> "{\"a\": 1, " + filler + ", \"b\": 1}")
                .handled(200, i -> i < 150 ? "{\"a\": 2, \"b\": 1}" : "{\"a\": 2, " + filler + "}");
        assertThat(documents.sentences())
                .contains("all 50 letters have /a = 1; of 200 handled events none")
                .noneMatch(sentence -> sentence.contains("/b"));
    }

    @Test
    void a_number_at_the_cut_is_not_taken_for_its_beginning() {
        String beginning = "{\"filler\": \"";
        String padding = "x".repeat(4_096 - beginning.length() - "\", \"n\": 12".length());
        Documents documents = new Documents()
                .letters(50, i -> beginning + padding + "\", \"n\": 12345}")
                .handled(200, i -> "{\"n\": " + i * 31 % 200 + "}");
        assertThat(documents.sentences()).noneMatch(sentence -> sentence.contains("/n"));
    }

    @Test
    void payloads_that_are_not_json_say_nothing_about_fields() {
        Documents documents = new Documents()
                .letters(50, i -> i < 45 ? "not json, " + i : "{\"a\": 1}")
                .handled(200, i -> "{\"a\": 1, \"b\": 2}");
        assertThat(documents.sentences())
                .contains("45 of 50 letters have payload = text; of 200 handled events none")
                .noneMatch(sentence -> sentence.contains("/a") || sentence.contains("/b"));
    }

    @Test
    void unknown_documents_are_counted_in_the_sentence() {
        Documents documents = new Documents()
                .letters(50, i -> i < 5 ? "broken" : "{\"a\": 1}")
                .handled(200, i -> i == 0 ? "broken" : "{\"a\": 2}");
        assertThat(documents.sentences())
                .containsExactly(
                        "all 45 letters have /a = 1; of 199 handled events none (unknown for 5 letters and 1 handled event)");
    }

    @Test
    void the_order_of_documents_changes_nothing() {
        Documents documents =
                new Documents().letters(40, i -> currency("XBT", i)).handled(90, i -> currency(USUAL[i % 3], i));
        List<String> expected = documents.sentences();
        Collections.shuffle(documents.letters, new Random(1));
        Collections.shuffle(documents.handled, new Random(2));
        assertThat(documents.sentences()).isEqualTo(expected).isNotEmpty();
    }

    @Test
    void equal_distributions_are_silent_but_for_one_comparison_in_a_thousand() {
        long seed = Long.getLong("redrive.seed", 20261117L);
        Random random = new Random(seed);
        int rounds = 300;
        List<String> told = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            int few = 2 + random.nextInt(30);
            int many = 2 + random.nextInt(150);
            RandomPayloads payloads = new RandomPayloads(random);
            Documents documents = new Documents();
            List<String> drawn = IntStream.range(0, few + many)
                    .mapToObj(i -> payloads.next())
                    .collect(toList());
            Collections.shuffle(drawn, random);
            for (int i = 0; i < few + many; i++) {
                Event event = Documents.event(drawn.get(i), each -> each.header("tenant", "t" + random.nextInt(3)));
                Instant at = Documents.START.plusSeconds(random.nextInt(10_000));
                String node = "node-" + random.nextInt(2);
                if (i < few) {
                    documents.letter(event, at, node);
                } else {
                    documents.handled(event, at, node);
                }
            }
            told.addAll(documents.sentences());
        }
        // Expected: 0.3 at most. More than 3 have a probability of 1 in 4,000.
        assertThat(told).as("seed %d", seed).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void many_fields_raise_the_rate_of_false_alarms_no_further() {
        long seed = Long.getLong("redrive.seed", 20261117L);
        Random random = new Random(seed);
        List<String> told = new ArrayList<>();
        for (int round = 0; round < 100; round++) {
            // Without the division by the number of tests, about one comparison in ten would tell a difference.
            told.addAll(new Documents()
                    .letters(10, i -> coins(random))
                    .handled(14, i -> coins(random))
                    .sentences());
        }
        assertThat(told).as("seed %d", seed).hasSizeLessThanOrEqualTo(2);
    }

    private static String coins(Random random) {
        return IntStream.range(0, 190)
                .mapToObj(i -> "\"f" + i + "\":" + random.nextBoolean())
                .collect(joining(",", "{", "}"));
    }

    @Test
    void a_planted_difference_is_found_first() {
        long seed = Long.getLong("redrive.seed", 20261117L);
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            RandomPayloads payloads = new RandomPayloads(random);
            double share = 0.9 + random.nextDouble() / 10;
            Documents documents = new Documents()
                    .letters(60, i -> payloads.with("planted", random.nextDouble() < share ? "\"bad\"" : "\"good\""))
                    .handled(200, i -> payloads.with("planted", random.nextDouble() < 0.02 ? "\"bad\"" : "\"good\""));
            assertThat(documents.differences())
                    .as("seed %d, round %d", seed, round)
                    .isNotEmpty();
            assertThat(documents.differences().get(0).subject().name()).isEqualTo("/planted");
        }
    }
}

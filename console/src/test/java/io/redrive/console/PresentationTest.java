package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers, times, payloads and addresses as people see them. */
class PresentationTest {

    private static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");

    @Test
    void numbers_have_units_and_few_digits() {
        assertThat(Format.number(1_234_567)).isEqualTo("1,234,567");
        assertThat(Format.counted(1, "letter")).isEqualTo("1 letter");
        assertThat(Format.counted(0, "letter")).isEqualTo("0 letters");
        assertThat(Format.percent(0)).isEqualTo("0 %");
        assertThat(Format.percent(0.0004)).isEqualTo("< 0.1 %");
        assertThat(Format.percent(0.034)).isEqualTo("3.4 %");
        assertThat(Format.percent(0.05)).isEqualTo("5 %");
        assertThat(Format.percent(0.0996)).isEqualTo("10 %");
        assertThat(Format.rate(3_600, Duration.ofMinutes(5))).isEqualTo("12/s");
        assertThat(Format.rate(3, Duration.ofMinutes(5))).isEqualTo("0.6/min");
        assertThat(Format.rate(0, Duration.ofMinutes(5))).isEqualTo("0/min");
        assertThat(Format.bytes(1)).isEqualTo("1 byte");
        assertThat(Format.bytes(1_536)).isEqualTo("1.5 KiB");
        assertThat(Format.bytes(3 << 20)).isEqualTo("3.0 MiB");
    }

    @Test
    void durations_and_times_use_the_largest_unit() {
        assertThat(Format.duration(Duration.ofNanos(340_000_000))).isEqualTo("340 ms");
        assertThat(Format.duration(Duration.ofNanos(700))).isEqualTo("< 0.1 ms");
        assertThat(Format.duration(Duration.ofMillis(2_100))).isEqualTo("2.1 s");
        assertThat(Format.duration(Duration.ofMinutes(90))).isEqualTo("90 min");
        assertThat(Format.ago(NOW.minusSeconds(2), NOW)).isEqualTo("just now");
        assertThat(Format.ago(NOW.minusSeconds(59), NOW)).isEqualTo("59 s ago");
        assertThat(Format.ago(NOW.plus(Duration.ofHours(3)), NOW)).isEqualTo("in 3 h");
        assertThat(Format.ago(NOW.minus(Duration.ofDays(3)), NOW)).isEqualTo("3 d ago");
    }

    @Test
    void a_time_to_come_is_rounded_to_its_unit() {
        assertThat(Format.ago(NOW.plus(Duration.ofMillis(45_600)), NOW)).isEqualTo("in 46 s");
        assertThat(Format.ago(NOW.plusSeconds(60 * 60 - 10), NOW)).isEqualTo("in 60 min");
        assertThat(Format.ago(NOW.plusSeconds(90 * 60), NOW)).isEqualTo("in 90 min");
        assertThat(Format.ago(NOW.plusSeconds(7_199), NOW)).isEqualTo("in 2 h");
        assertThat(Format.ago(NOW.plus(Duration.ofDays(7)).minusSeconds(90), NOW))
                .isEqualTo("in 7 d");
        assertThat(Format.ago(NOW.plus(Duration.ofDays(90)).minusSeconds(1), NOW))
                .isEqualTo("in 90 d");
    }

    @Test
    void times_in_texts_of_the_store_have_no_fractions() {
        assertThat(Format.withTimes("paused since 2026-11-17T09:02:03.123456789Z by ann: $1 \\"))
                .isEqualTo("paused since 2026-11-17 09:02:03 UTC by ann: $1 \\");
        assertThat(Format.withTimes("at 2026-99-99T09:02:03Z")).isEqualTo("at 2026-99-99T09:02:03Z");
        assertThat(Format.clock(NOW.minusSeconds(60), NOW)).isEqualTo("11:59 UTC");
        assertThat(Format.clock(NOW.minus(Duration.ofDays(14)), NOW)).isEqualTo("3 Nov 12:00 UTC");
    }

    @Test
    void brief_texts_are_one_line_and_cut_no_character() {
        assertThat(Format.brief("a\n\tb", 10)).isEqualTo("a b");
        assertThat(Format.brief("x".repeat(30), 10)).isEqualTo("x".repeat(9) + "…");
        assertThat(Format.brief("😀".repeat(10), 5)).doesNotContain("\ud83d…");
    }

    @Test
    void the_message_of_an_error_does_not_repeat_its_type() {
        assertThat(Format.error("IOException", "java.io.IOException: disk full", 99))
                .isEqualTo("disk full");
        assertThat(Format.error("IOException", "read failed: IOException: x", 99))
                .isEqualTo("read failed: IOException: x");
        assertThat(Format.error("http_503", "gateway: 503", 99)).isEqualTo("gateway: 503");
        assertThat(Format.error("IOException", "", 99)).isEmpty();
    }

    @Test
    void json_keeps_the_digits_of_its_numbers() {
        String json = "{\"a\":12345678901234567890,\"b\":0.1000,\"c\":[true,null]}";
        PayloadView view = PayloadView.of(json.getBytes(StandardCharsets.UTF_8), "application/json");
        assertThat(view.text()).contains("12345678901234567890").contains("0.1000");
        JsonNode root = view.tree().orElseThrow();
        assertThat(root.children()).extracting(JsonNode::key).containsExactly("a", "b", "c");
        assertThat(root.children().get(0).text()).isEqualTo("12345678901234567890");
        assertThat(root.children().get(2).children()).extracting(JsonNode::text).containsExactly("true", "null");
    }

    private static int size(JsonNode node) {
        return 1 + node.children().stream().mapToInt(PresentationTest::size).sum();
    }

    @Test
    void a_tree_with_room_for_all_values_is_not_cut() {
        JsonNode root = JsonTree.read("[" + "1,".repeat(1_000) + "1]").orElseThrow();
        assertThat(root.isCut()).isFalse();
        assertThat(size(root)).isEqualTo(1_002);
    }

    @Test
    void the_tree_of_a_large_payload_shows_the_first_values_and_counts_the_others() {
        JsonNode root = JsonTree.read("{\"a\": [" + "1,".repeat(10_000) + "1], \"b\": [" + "{\"c\":{}},".repeat(500)
                        + "2], \"z\": 12345678901234567890}")
                .orElseThrow();
        assertThat(root.isCut()).isTrue();
        assertThat(root.children()).extracting(JsonNode::key).containsExactly("a", "b", "z");
        assertThat(root.children()).extracting(JsonNode::text).contains("10,001 elements", "12345678901234567890");
        assertThat(root.children().get(0).hiddenInWords()).isEqualTo("9,901 more elements");
        assertThat(root.children().get(1).hiddenInWords()).isEqualTo("401 more elements");
        assertThat(size(root)).isEqualTo(1 + 101 + 201 + 1);
    }

    @Test
    void a_tree_has_a_bounded_number_of_values_and_a_bounded_depth() {
        String row = "[" + "1,".repeat(99) + "1],";
        assertThat(size(JsonTree.read("[" + row.repeat(99) + "1]").orElseThrow()))
                .isEqualTo(JsonTree.MOST_NODES);
        JsonNode deep = JsonTree.read("[".repeat(400) + "]".repeat(400)).orElseThrow();
        assertThat(deep.isCut()).isTrue();
        assertThat(size(deep)).isEqualTo(41);
        String tooDeep = "[".repeat(5_000) + "]".repeat(5_000);
        PayloadView view = PayloadView.of(tooDeep.getBytes(StandardCharsets.UTF_8), "application/json");
        assertThat(view.tree()).isEmpty();
        assertThat(view.text()).contains("[");
    }

    @Test
    void a_search_looks_at_every_name_and_value_of_a_payload() {
        String json =
                "{\"Order\": {\"id\": 7}, \"lines\": [" + "\"x\",".repeat(5_000) + "\"an order\", {\"a/b\": 77}]}";
        JsonTree.Found found = JsonTree.find(json, "ORDER", 10);
        assertThat(found.total()).isEqualTo(2);
        assertThat(found.hits())
                .containsExactly(new JsonTree.Hit("/Order", ""), new JsonTree.Hit("/lines/5000", "an order"));
        assertThat(JsonTree.find(json, "7", 10).hits())
                .extracting(JsonTree.Hit::pointer)
                .containsExactly("/Order/id", "/lines/5001/a~1b");
        assertThat(JsonTree.find(json, "x", 10).hits()).hasSize(10);
        assertThat(JsonTree.find(json, "x", 10).total()).isEqualTo(5_000);
        assertThat(JsonTree.find("{", "x", 10).total()).isZero();
    }

    @Test
    void a_payload_that_lies_about_its_type_is_shown_all_the_same() {
        byte[] broken = "{\"a\": ".getBytes(StandardCharsets.UTF_8);
        assertThat(PayloadView.of(broken, "application/json").text()).isEqualTo("{\"a\": ");
        byte[] bytes = {(byte) 0xff, 0, 1};
        assertThat(PayloadView.of(bytes, "application/json").text()).startsWith("000000  ff 00 01");
        assertThat(PayloadView.of(new byte[0], "application/json").text()).isEmpty();
    }

    @Test
    void a_query_encodes_every_value() {
        Query query = Query.NONE
                .plus("name", "a&b=c d")
                .plus("text", "")
                .plus("id", "1")
                .plus("id", "2");
        assertThat(query.toString()).isEqualTo("?name=a%26b%3Dc%20d&id=1&id=2");
        assertThat(query.with("id", "3").toString()).endsWith("&id=3");
        assertThat(Query.NONE.toString()).isEmpty();
    }

    @Test
    void a_mount_path_is_a_plain_path() {
        assertThat(new ConsoleProperties(true, "/", 0).prefix()).isEmpty();
        assertThat(new ConsoleProperties(true, "/ops/queue/", 100).prefix()).isEqualTo("/ops/queue");
        for (String wrong : List.of("", "redrive", "/a b", "//", "/{x}", "/**", "/a?b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ConsoleProperties(true, wrong, 100))
                    .withMessageContaining("redrive.console.path must be a path");
        }
    }

    @Test
    void a_line_through_numbers_stays_within_its_frame() {
        assertThat(Spark.points(List.of(0L, 10L, 5L), 100, 20)).isEqualTo("0.0,19.0 50.0,1.0 100.0,10.0");
        assertThat(Spark.points(List.of(), 100, 20)).isEmpty();
        assertThat(Spark.points(List.of(0L), 100, 20)).isEqualTo("0.0,19.0");
    }

    @Test
    void times_in_an_address_are_lengths_or_instants() {
        assertThat(Scope.time("since", "24h", NOW)).isEqualTo(NOW.minus(Duration.ofHours(24)));
        assertThat(Scope.time("since", "7d", NOW)).isEqualTo(NOW.minus(Duration.ofDays(7)));
        assertThat(Scope.time("since", "30m", NOW)).isEqualTo(NOW.minus(Duration.ofMinutes(30)));
        assertThat(Scope.time("since", "2026-01-01T00:00:00Z", NOW)).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scope.time("since", "soon", NOW))
                .withMessageContaining("since must be a time such as 24h");
    }
}

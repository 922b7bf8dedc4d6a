package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BenchResultTest {

    private static final RunFacts FACTS = new RunFacts(true, Instant.parse("2026-01-02T03:04:05Z"), "2 cores", 0.5);

    @Test
    void a_judged_result_is_one_line_of_json_with_its_fields_in_order() {
        Map<String, Double> peers = new LinkedHashMap<>();
        peers.put("resilience4j", 19.0);
        peers.put("failsafe", 185.25);
        Measured measured = new Measured("ns/op", 2.5, peers, 1.0, 0.25);

        String json = FACTS.line(BenchResult.judged("retry", "success", measured, Target.atMostBestPeerTimes(0.5)));

        assertThat(json)
                .isEqualTo("{\"suite\":\"retry\",\"case\":\"success\",\"metric\":\"ns/op\",\"ours\":2.5,"
                        + "\"peers\":{\"resilience4j\":19,\"failsafe\":185.25},\"limit\":1,"
                        + "\"target\":\"at most 0.5 x the best peer\",\"met\":true,\"spread\":0.25,"
                        + "\"quick\":true,\"at\":\"2026-01-02T03:04:05Z\",\"machine\":\"2 cores\",\"load\":0.5}");
    }

    @Test
    void what_is_missing_is_null_and_no_peers_are_an_empty_object() {
        String json = FACTS.line(BenchResult.plain("crash", "lost", new Measured("count", 0, Map.of(), null)));

        assertThat(json)
                .isEqualTo("{\"suite\":\"crash\",\"case\":\"lost\",\"metric\":\"count\",\"ours\":0,"
                        + "\"peers\":{},\"limit\":null,\"target\":null,\"met\":null,\"spread\":null,"
                        + "\"quick\":true,\"at\":\"2026-01-02T03:04:05Z\",\"machine\":\"2 cores\",\"load\":0.5}");
    }

    @Test
    void a_figure_that_is_no_number_is_refused() {
        Measured measured = new Measured("ns/op", 1, Map.of("spring", Double.NaN), null);

        assertThatThrownBy(() -> BenchResult.plain("retry", "success", measured))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("spring must be a number, got NaN");
    }

    @Test
    void a_line_can_be_read_back() {
        Measured measured = new Measured("ns/op", 2.5, Map.of("spring", 3.0), null);

        Map<String, Object> fields = Json.read(FACTS.line(BenchResult.plain("retry", "success", measured)));

        assertThat(fields)
                .containsEntry("case", "success")
                .containsEntry("ours", 2.5)
                .containsEntry("peers", Map.of("spring", 3.0))
                .containsEntry("limit", null)
                .containsEntry("quick", true);
    }

    @Test
    void strings_are_escaped() {
        assertThat(Json.write("a\"b\\c\nd\te\u0001f\u00fc")).isEqualTo("\"a\\\"b\\\\c\\nd\\te\\u0001f\u00fc\"");
    }

    @Test
    void numbers_have_neither_exponent_nor_empty_fraction() {
        assertThat(Json.number(1e7)).isEqualTo("10000000");
        assertThat(Json.number(1e-5)).isEqualTo("0.00001");
        assertThat(Json.number(-0.0)).isEqualTo("0");
        assertThat(Json.number(12.50)).isEqualTo("12.5");
    }
}

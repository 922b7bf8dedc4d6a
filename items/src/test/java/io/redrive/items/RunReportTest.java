package io.redrive.items;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a report says, as text, JSON and HTML. */
final class RunReportTest {

    private static final Instant BEGAN = Instant.parse("2026-03-01T10:00:00Z");

    private final RunReport report = new RunReport(
            new RunRecord(
                    new RunDefinition("march", "summaries", List.of("fetch", "llm")),
                    RunStatus.PARTIAL_SUCCESS,
                    new Totals(10_000, 9_000, 400, 600, true, OptionalLong.of(10_000)),
                    0,
                    BEGAN,
                    BEGAN.plusSeconds(725),
                    BEGAN.plusSeconds(725),
                    0,
                    0,
                    0,
                    Map.of()),
            new TreeMap<>(Map.of(0, 9_100L, 1, 650L, 2, 250L)),
            List.of(
                    new ErrorCount("llm", "http_429", "HTTP 429: <slow> \"down\"", 900, 20),
                    new ErrorCount("fetch", "IOException", "reset\nby peer", 580, 580)),
            List.of(
                    new StageCounts("fetch", 9_400, 0, 580, 400, Duration.ofSeconds(1_000)),
                    new StageCounts("llm", 9_000, 880, 20, 0, Duration.ofSeconds(20_000))));

    @Test
    void as_text() {
        assertThat(report.text()).isEqualTo("""
                Run march of pipeline summaries: partial_success
                Began 2026-03-01 10:00:00 UTC, took 12m 5s
                93.8 % of the 9,600 samples that were not skipped succeeded.

                Balance
                               samples    share
                  in            10,000  100.0 %
                  succeeded      9,000   90.0 %
                  skipped          400    4.0 %
                  dead             600    6.0 %
                  not started        0    0.0 %

                Retries a sample needed
                  retries  samples
                        0    9,100  ████████████████████████████████████████
                        1      650  ███
                        2      250  █

                Most common errors
                  stage  error        attempts  dead  such as
                  llm    http_429          900    20  HTTP 429: <slow> "down"
                  fetch  IOException       580   580  reset by peer

                Stages
                  stage  attempts  success  retrying  failed  skipped  reliability  mean time
                  fetch    10,380    9,400         0     580      400       94.4 %     96.3ms
                  llm       9,900    9,000       880      20        0       90.9 %      2.02s
                """);
    }

    @Test
    void as_json() {
        assertThat(report.json())
                .startsWith("{\"run\":\"march\",\"pipeline\":\"summaries\",\"status\":\"partial_success\"")
                .contains("\"status_basis\":\"93.8 % of the 9,600 samples that were not skipped succeeded.\"")
                .contains("\"ended\":\"2026-03-01T10:12:05Z\",\"elapsed_ms\":725000")
                .contains("\"balance\":{\"in\":10000,\"succeeded\":9000,\"skipped\":400,\"dead\":600,"
                        + "\"not_started\":0,\"begun\":0}")
                .contains("\"retries\":[{\"retries\":0,\"samples\":9100},{\"retries\":1,\"samples\":650},")
                .contains("\"message\":\"HTTP 429: <slow> \\\"down\\\"\",\"attempts\":900,\"dead\":20}")
                .contains("\"message\":\"reset\\u000aby peer\"")
                .contains("{\"stage\":\"llm\",\"attempts\":9900,\"success\":9000,\"retrying\":880,\"failed\":20,"
                        + "\"skipped\":0,\"reliability\":0.909091,\"mean_ms\":2020.202}]}");
    }

    @Test
    void as_html_that_needs_nothing_from_elsewhere() {
        assertThat(report.html())
                .startsWith("<!DOCTYPE html>")
                .contains("<h1>march <span class=\"status open\">partial_success</span></h1>")
                .contains("prefers-color-scheme: dark")
                .contains("HTTP 429: &lt;slow&gt; &quot;down&quot;")
                .doesNotContain("<slow>", "<script", "src=", "href=", "url(", "http:", "https:", "@import");
        assertThat(report.html().split("<svg ", -1)).hasSize(4);
    }

    @Test
    void a_run_without_an_audit_trail_says_so() {
        RunReport bare = new RunReport(report.run(), new TreeMap<>(), List.of(), List.of());

        assertThat(bare.text()).contains("No audit trail was kept");
        assertThat(bare.html()).contains("No audit trail was kept");
        assertThat(bare.json()).contains("\"retries\":[],\"errors\":[],\"stages\":[]}");
    }

    @Test
    void a_run_that_is_under_way_tells_what_is_left() {
        RunRecord running = new RunRecord(
                report.run().definition(),
                RunStatus.RUNNING,
                new Totals(500, 300, 0, 100, false, OptionalLong.of(1_000)),
                0,
                BEGAN,
                BEGAN.plusSeconds(5),
                null,
                1,
                0,
                1,
                Map.of());
        RunReport early = new RunReport(running, report.retries(), List.of(), report.stages());

        assertThat(early.text())
                .contains("Run march of pipeline summaries: running")
                .contains("not started      600   60.0 %")
                .contains("100 of those not started were taken from the source and are kept.")
                .contains("No attempt failed.");
        assertThat(early.elapsed()).isEqualTo(Duration.ofSeconds(5));
        assertThat(early.json()).contains("\"ended\":null");
    }

    @Test
    void shares_near_the_ends_are_not_rounded_away() {
        assertThat(Figures.percent(99_999, 100_000)).isEqualTo(">99.9 %");
        assertThat(Figures.percent(1, 100_000)).isEqualTo("<0.1 %");
        assertThat(Figures.percent(0, 100_000)).isEqualTo("0.0 %");
        assertThat(Figures.percent(0, 0)).isEqualTo("–");
    }

    @Test
    void a_balance_that_does_not_add_up_is_refused() {
        assertThatThrownBy(() -> new Balance(10, 5, 0, 0, 4, 0))
                .hasMessageContaining("in = succeeded + skipped + dead + not started");
    }

    @Test
    void there_must_be_a_run_to_report_on() {
        assertThatThrownBy(() -> RunReport.of(new InMemoryRunStore().archive(), "none"))
                .hasMessage("there must be a run 'none' to report on");
    }
}

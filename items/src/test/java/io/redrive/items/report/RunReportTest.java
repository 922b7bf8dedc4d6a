package io.redrive.items.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.Percentiles;
import io.redrive.items.store.Price;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageCounts;
import io.redrive.items.store.StageSpending;
import io.redrive.items.store.Throughput;
import io.redrive.items.store.Totals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The report on a run as text, JSON and HTML. */
final class RunReportTest {

    private static final Instant BEGAN = Instant.parse("2026-03-01T10:00:00Z");

    private static final Duration HOUR = Duration.ofHours(1);

    private final RunReport report = new RunReport(
            new RunRecord(
                    new RunDefinition("march", "summaries", List.of("fetch", "llm")),
                    RunStatus.PARTIAL_SUCCESS,
                    new Totals(10_000, 9_000, 400, 600, true, OptionalLong.of(10_000)),
                    0,
                    BEGAN,
                    BEGAN.plusSeconds(725),
                    BEGAN.plusSeconds(725),
                    Duration.ofSeconds(725),
                    0,
                    0,
                    0,
                    0,
                    Map.of()),
            new TreeMap<>(Map.of(0, 9_100L, 1, 650L, 2, 250L)),
            List.of(
                    new ErrorCount("llm", "http_429", "HTTP 429: <slow> \"down\"", 900, 20),
                    new ErrorCount("fetch", "IOException", "reset\nby peer", 580, 580)),
            List.of(
                    new StageCounts("fetch", 9_400, 0, 580, 400, Duration.ofSeconds(1_000), times(90, 120, 300)),
                    new StageCounts("llm", 9_000, 880, 20, 0, Duration.ofSeconds(20_000), times(1_900, 3_000, 9_000))),
            List.of(
                    new StageSpending("fetch", "bytes <b>", Optional.empty(), 70, 0),
                    new StageSpending("llm", "tokens", Optional.of(Price.parse("0.15 USD/1M")), 12_345_678, 24_000)),
            new RunReport.Pace(
                    Duration.ofMinutes(5),
                    List.of(
                            new Throughput(BEGAN, 4_000, 400, 0),
                            new Throughput(BEGAN.plusSeconds(600), 5_000, 0, 600))),
            List.of(dead(7, "a<b", "llm", "http_429"), dead(3, "s3", "fetch", "IO\u001b[31mException")));

    private static Percentiles times(long p50, long p95, long p99) {
        return new Percentiles(Duration.ofMillis(p50), Duration.ofMillis(p95), Duration.ofMillis(p99));
    }

    private static DeadSample dead(long ordinal, String id, String stage, String errorType) {
        SampleRecord.Death death = new SampleRecord.Death(Reason.MAX_ATTEMPTS_EXCEEDED, errorType, "so", BEGAN);
        SampleRecord sample = new SampleRecord(
                ordinal, id, SampleState.DEAD, 0, SampleRecord.Progress.NONE, SampleRecord.Payload.NONE, false, death);
        return new DeadSample("march", "summaries", stage, sample);
    }

    @Test
    void the_text_report_has_every_table() {
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
                  stage  attempts  success  retrying  failed  skipped  reliability  mean time   p50    p95    p99
                  fetch    10,380    9,400         0     580      400       94.4 %     96.3ms  90ms  120ms  300ms
                  llm       9,900    9,000       880      20        0       90.9 %      2.02s  1.9s     3s     9s

                Samples that ended, by 5m
                                     from  ended  dead
                  2026-03-01 10:00:00 UTC  4,400     0  ███████████████████████████████
                  2026-03-01 10:10:00 UTC  5,600   600  ████████████████████████████████████████

                Cost
                  stage           reported     money  only estimated       money        price
                  fetch       70 bytes <b>         –     0 bytes <b>           –            –
                  llm    12,345,678 tokens  1.85 USD   24,000 tokens  0.0036 USD  0.15 USD/1M

                Dead samples, the last 2 of 600
                      sample  stage  reason                 error
                  #7  a<b     llm    max_attempts_exceeded  http_429
                  #3  s3      fetch  max_attempts_exceeded  IO [31mException
                """);
    }

    @Test
    void the_json_report_has_every_field() {
        assertThat(report.json())
                .startsWith("{\"run\":\"march\",\"pipeline\":\"summaries\",\"status\":\"partial_success\"")
                .contains("\"status_basis\":\"93.8 % of the 9,600 samples that were not skipped succeeded.\"")
                .contains("\"ended\":\"2026-03-01T10:12:05Z\",\"worked_ms\":725000")
                .contains("\"balance\":{\"in\":10000,\"succeeded\":9000,\"skipped\":400,\"dead\":600,"
                        + "\"not_started\":0,\"begun\":0}")
                .contains("\"retries\":[{\"retries\":0,\"samples\":9100},{\"retries\":1,\"samples\":650},")
                .contains("\"message\":\"HTTP 429: <slow> \\\"down\\\"\",\"attempts\":900,\"dead\":20}")
                .contains("\"message\":\"reset\\u000aby peer\"")
                .contains("{\"stage\":\"llm\",\"attempts\":9900,\"success\":9000,\"retrying\":880,\"failed\":20,"
                        + "\"skipped\":0,\"reliability\":0.909091,\"mean_ms\":2020.202,\"p50_ms\":1900.000,"
                        + "\"p95_ms\":3000.000,\"p99_ms\":9000.000}]")
                .contains("\"costs\":[{\"stage\":\"fetch\",\"unit\":\"bytes <b>\",\"reported\":70,\"estimated\":0,"
                        + "\"price\":null,\"currency\":null,\"reported_money\":null,\"estimated_money\":null},"
                        + "{\"stage\":\"llm\",\"unit\":\"tokens\",\"reported\":12345678,\"estimated\":24000,"
                        + "\"price\":\"0.15 USD/1M\",\"currency\":\"USD\",\"reported_money\":1.851852,"
                        + "\"estimated_money\":0.003600}]")
                .contains(
                        "\"interval_ms\":300000,\"throughput\":[{\"from\":\"2026-03-01T10:00:00Z\",\"succeeded\":4000,"
                                + "\"skipped\":400,\"dead\":0},")
                .contains("\"dead\":[{\"sample\":\"a<b\",\"ordinal\":7,\"stage\":\"llm\","
                        + "\"reason\":\"max_attempts_exceeded\"");
    }

    @Test
    void the_html_report_loads_no_other_file() {
        assertThat(report.html())
                .startsWith("<!DOCTYPE html>")
                .contains("<h1>march <span class=\"status open\">partial_success</span></h1>")
                .contains("prefers-color-scheme: dark")
                .contains("<td>a&lt;b</td>", "70 bytes &lt;b&gt;", "12,345,678 tokens", "1.85 USD")
                .contains("HTTP 429: &lt;slow&gt; &quot;down&quot;")
                .doesNotContain("<slow>", "<script", "src=", "href=", "url(", "http:", "https:", "@import");
        assertThat(report.html().split("<svg ", -1)).hasSize(5);
    }

    @Test
    void a_run_without_an_audit_trail_says_so() {
        RunReport bare = new RunReport(
                report.run(),
                new TreeMap<>(),
                List.of(),
                List.of(),
                report.spending(),
                new RunReport.Pace(HOUR, List.of()),
                List.of());

        assertThat(bare.text()).contains("The run has no audit trail", "1.85 USD");
        assertThat(bare.html()).contains("The run has no audit trail");
        assertThat(bare.json()).contains("\"retries\":[],\"errors\":[],\"stages\":[]");
    }

    @Test
    void the_report_on_a_running_run_counts_the_samples_not_started() {
        RunRecord running = new RunRecord(
                report.run().definition(),
                RunStatus.RUNNING,
                new Totals(500, 300, 0, 100, false, OptionalLong.of(1_000)),
                0,
                BEGAN,
                BEGAN.plusSeconds(5),
                null,
                Duration.ofSeconds(5),
                0,
                1,
                0,
                1,
                Map.of());
        RunReport early = new RunReport(
                running, report.retries(), List.of(), report.stages(), List.of(), report.pace(), List.of());

        assertThat(early.text())
                .contains("Run march of pipeline summaries: running")
                .contains("not started      600   60.0 %")
                .contains("100 of those not started were taken from the source and are kept.")
                .contains("No attempt failed.");
        assertThat(early.run().worked()).isEqualTo(Duration.ofSeconds(5));
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
    void a_report_on_an_unknown_run_is_refused() {
        assertThatThrownBy(() -> RunReport.of(new InMemoryRunStore().archive(), "none", BEGAN))
                .hasMessage("there must be a run 'none' to report on");
    }

    @Test
    void a_span_that_sixty_intervals_cover_exactly_has_no_longer_intervals() {
        assertThat(RunReport.Pace.intervalFor(Duration.ofSeconds(60))).isEqualTo(Duration.ofSeconds(1));
        assertThat(RunReport.Pace.intervalFor(Duration.ofSeconds(60).plusNanos(1)))
                .isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void money_has_two_digits_after_the_point_and_small_amounts_four() {
        assertThat(Figures.money(0, Price.parse("1 USD/3"))).isEqualTo("0.0000 USD");
        assertThat(Figures.money(3_000_000, Price.parse("1/3"))).isEqualTo("1,000,000.00");
    }
}

package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BenchReportTest {

    private static final RunFacts QUICK = new RunFacts(true, Instant.parse("2026-01-02T03:04:05Z"), "2 cores", 0.5);

    @TempDir
    Path folder;

    @Test
    void the_page_tells_the_machine_the_figures_and_the_losses() throws Exception {
        write(
                BenchResult.judged(
                        "events",
                        "drain",
                        new Measured("events/s", 50, Map.of("slow <peer>", 5.0), 100.0, 0.1),
                        Target.atLeastLimitTimes(0.8)),
                BenchResult.plain("events", "idle-latency", new Measured("p99 ms", 2, Map.of(), null)),
                BenchResult.plain(
                        "events", "latency-50", new Measured("p99 ms", 30, Map.of("slow <peer>", 8.0), null)));

        String page = Files.readString(report().write());

        assertThat(page)
                .contains("| events | 2026-01-02T03:04:05Z | 2 cores | 0.50 | quick: short and rough | drain,")
                .contains("- `events drain`: 50 events/s, the target is at least 0.8 x the limit (quick run)")
                .contains("- `events drain` (events/s): limit 100 against 50")
                .contains("- `events latency-50` (p99 ms): slow <peer> 8 against 30")
                .contains(
                        "| drain | events/s | 50 | 10 % | slow <peer> 5, limit 100 | at least 0.8 x the limit | **no** | quick |")
                .contains("| [events](#events) | 0 of 1 | drain |")
                .contains("Without results on this page: `kafka`.")
                .contains("start of the handler, above the load](benchmarks/events-latency.svg)");
        for (String plot : List.of("events.svg", "events-latency.svg")) {
            byte[] svg = Files.readAllBytes(folder.resolve("docs/benchmarks").resolve(plot));
            assertThat(DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(new ByteArrayInputStream(svg))
                            .getDocumentElement()
                            .getTextContent())
                    .contains("slow <peer>");
        }
    }

    @Test
    void figures_of_a_busy_machine_are_marked() throws Exception {
        RunFacts busy = new RunFacts(false, Instant.EPOCH, "2 cores", 7.5);
        BenchResult result = BenchResult.plain("events", "drain", new Measured("events/s", 50, Map.of(), null));
        ResultFile.write(folder.resolve("results"), "events", List.of(result), busy);

        assertThat(Files.readString(report().write()))
                .contains("| 7.50 | full; **the machine was busy with other work**")
                .contains("| drain | events/s | 50 | – | – | – | – | full, **busy** |");
    }

    @Test
    void cases_of_a_growing_load_have_a_plot() throws Exception {
        write(
                rate("drain", "events/s", 50_000),
                rate("drain-4-nodes", "events/s", 40_000),
                rate("delayed-300k", "ratio", 0.98),
                rate("delayed-1m", "ratio", 0.95));

        assertThat(Files.readString(report().write()))
                .contains("(benchmarks/events-nodes.svg)")
                .contains("(benchmarks/events-delayed.svg)")
                .doesNotContain("events-latency.svg");
        assertThat(Files.readString(folder.resolve("docs/benchmarks/events-nodes.svg")))
                .contains("Redrive: 40,000", ">4 nodes<")
                .doesNotContain("2 nodes", "NaN");
        assertThat(Files.readString(folder.resolve("docs/benchmarks/events-delayed.svg")))
                .contains("Redrive: 0.95", ">no delayed events<")
                .doesNotContain("NaN");
    }

    private static BenchResult rate(String caseName, String metric, double value) {
        return BenchResult.plain("events", caseName, new Measured(metric, value, Map.of(), null));
    }

    @Test
    void a_line_that_is_no_result_is_named_with_its_file() throws Exception {
        Path file = folder.resolve("results/events.jsonl");
        Files.createDirectories(file.getParent());
        for (String line : List.of("{\"suite\":\"events\",\"ours\":null}", "half a li")) {
            Files.writeString(file, "\n" + line + "\n");

            assertThatThrownBy(() -> report().write())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("events.jsonl has a line that is no result; measure its suite again");
        }
    }

    @Test
    void without_results_there_is_no_page() {
        assertThatThrownBy(() -> report().write())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has no results; run a suite first");
    }

    private BenchReport report() {
        return new BenchReport(
                List.of(new EventsSuite(), new KafkaSuite()), folder.resolve("results"), folder.resolve("docs"));
    }

    private void write(BenchResult... results) throws IOException {
        ResultFile.write(folder.resolve("results"), "events", List.of(results), QUICK);
        assertThat(Files.readString(folder.resolve("results/events.jsonl"), StandardCharsets.UTF_8))
                .isNotEmpty();
    }
}

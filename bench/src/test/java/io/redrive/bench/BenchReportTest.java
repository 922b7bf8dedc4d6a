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
                .contains("![latency above the load](benchmarks/events-latency.svg)");
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
    void without_results_there_is_no_page() {
        assertThatThrownBy(() -> report().write())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has no results; run a suite first");
    }

    private BenchReport report() {
        return new BenchReport(folder.resolve("results"), folder.resolve("docs"));
    }

    private void write(BenchResult... results) throws IOException {
        ResultFile.write(folder.resolve("results"), "events", List.of(results), QUICK);
        assertThat(Files.readString(folder.resolve("results/events.jsonl"), StandardCharsets.UTF_8))
                .isNotEmpty();
    }
}

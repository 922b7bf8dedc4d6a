package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo of item runs as a user plays the demo: the trouble, a look at the dead samples, the repair. */
@Timeout(180)
final class DemoRunTest {

    @TempDir
    private Path folder;

    @Test
    void articles_get_summaries_and_dead_articles_come_back_after_the_repair() throws IOException {
        Ran first = demo("--samples", "150");

        assertThat(first.err())
                .contains("run demo: english > summarize > embed")
                .doesNotContain("warning");
        assertThat(first.out()).contains("http_503", "http_422", "malformed_json", "./redrive demo run --fixed");
        assertThat(first.code()).isZero();
        assertThat(summaries())
                .hasSize(130)
                .allMatch(line -> line.contains("\"summary\":") && line.contains("\"vector\":["));
        assertThat(runs("show", "demo", "article-50")).contains("dead at stage summarize", "unexpected character §");

        Ran fixed = demo("--fixed");

        assertThat(fixed.err()).contains("3 samples are back");
        // The broken line stays dead, because no payload exists to bring back.
        assertThat(runs("list", "--json")).contains("\"succeeded\":133", "\"skipped\":16", "\"dead\":1,");
        assertThat(summaries()).hasSize(133);
    }

    private Ran demo(String... more) {
        List<String> args = new ArrayList<>(List.of("demo", "run", "--folder", folder.toString()));
        args.addAll(List.of(more));
        return Ran.redrive(Time.system(), args.toArray(String[]::new));
    }

    private String runs(String command, String... more) {
        List<String> args = new ArrayList<>(List.of("runs", command));
        args.addAll(List.of(more));
        args.addAll(List.of("--store", folder.resolve("runs.db").toString()));
        return Ran.redrive(Time.system(), args.toArray(String[]::new)).out();
    }

    private List<String> summaries() throws IOException {
        return Files.readAllLines(folder.resolve("summaries.jsonl"));
    }
}

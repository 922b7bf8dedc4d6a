package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Retry;
import io.redrive.events.StoreStats;
import io.redrive.jdbc.SqliteStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the whole programs of README and guide as the reader is told to: {@code java -cp … Hello.java}. */
final class ProgramsTest {

    @TempDir
    private Path folder;

    @Test
    void the_first_program_runs_as_it_is() throws Exception {
        assertThat(programs())
                .extracting(GuidePage.Block::name)
                // Bills needs a broker and is run by examples/kafka-orders.
                .containsExactlyInAnyOrder("Hello", "Orders", "Summaries", "Bills");
        assertThat(run(program("Hello"), location(Retry.class))).endsWith("sunny after 3 attempts\n");
    }

    @Test
    void the_durable_program_handles_its_event_at_the_third_attempt_and_leaves_its_store() throws Exception {
        assertThat(run(program("Orders"), System.getProperty("java.class.path")))
                .contains("warehouse is down", "order.paid shipped at attempt 3\n");

        try (SqliteStore store = SqliteStore.open(folder.resolve("orders.db"))) {
            StoreStats left = store.stats(Instant.now());
            assertThat(left.ready() + left.delayed() + left.claimed() + left.dead())
                    .isZero();
        }
    }

    @Test
    void the_first_run_is_through_and_says_so_again_when_it_is_started_again() throws Exception {
        String classPath = System.getProperty("java.class.path");
        assertThat(run(program("Summaries"), classPath)).contains("completed: 500 in = 500 succeeded");
        assertThat(run(program("Summaries"), classPath)).contains("completed: 500 in = 500 succeeded");

        assertThat(Files.readAllLines(folder.resolve("summaries.txt"))).hasSize(500);
    }

    private static List<GuidePage.Block> programs() {
        return Guide.find().pages().stream()
                .flatMap(page -> page.programs().stream())
                .toList();
    }

    private static GuidePage.Block program(String name) {
        return programs().stream()
                .filter(program -> program.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String location(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    private String run(GuidePage.Block program, String classPath) throws Exception {
        Path source = Files.writeString(folder.resolve(program.name() + ".java"), program.text());
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        source.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8).replace("\r\n", "\n");
    }
}

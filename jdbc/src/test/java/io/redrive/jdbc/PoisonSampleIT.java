package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.core.Time;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.JsonLines;
import io.redrive.items.SampleSource;
import io.redrive.items.Stage;
import io.redrive.items.run.Run;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run started again and again gets past a sample that kills its process. */
final class PoisonSampleIT {

    private static final int SAMPLES = 60;
    private static final String POISON = "s23";
    private static final int HALTED = 99;

    @TempDir
    private Path dir;

    @Test
    void a_sample_that_halts_its_jvm_ends_as_poison_and_all_others_succeed() throws Exception {
        int exit = HALTED;
        for (int starts = 0; exit == HALTED && starts < 10; starts++) {
            exit = start();
        }

        assertThat(exit).isZero();
        try (RunStore store = SqliteRunStore.open(dir.resolve("runs.db"))) {
            assertThat(store.archive()
                            .find("r", Time.system().now())
                            .orElseThrow()
                            .balance())
                    .isEqualTo(new Balance(SAMPLES, SAMPLES - 1, 0, 1, 0, 0));
            assertThat(store.archive().dead(DeadFilter.ALL, 10)).singleElement().satisfies(dead -> {
                assertThat(dead.death().reason()).isEqualTo(Reason.POISON);
                assertThat(dead.sample().bytes()).asString().isEqualTo(POISON);
            });
        }
        assertThat(Files.readAllLines(dir.resolve("out.jsonl")))
                .hasSize(SAMPLES - 1)
                .doesNotHaveDuplicates()
                .doesNotContain(POISON);
    }

    private int start() throws IOException, InterruptedException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PoisonSampleIT.class.getName(),
                        dir.toString())
                .inheritIO()
                .start()
                .waitFor();
    }

    /** The process that dies. */
    public static void main(String[] args) {
        Path dir = Path.of(args[0]);
        ItemPipeline<String, String> pipeline = ItemPipeline.named("texts", Codec.text())
                .stage(Stage.map("kills", (String text) -> {
                    if (text.equals(POISON)) {
                        Runtime.getRuntime().halt(HALTED);
                    }
                    return text;
                }))
                .build();
        List<String> samples =
                IntStream.range(0, SAMPLES).mapToObj(i -> "s" + i).toList();
        try (RunStore store = SqliteRunStore.open(dir.resolve("runs.db"))) {
            Run.of(pipeline, store)
                    .id("r")
                    .from(SampleSource.of(samples))
                    .to(JsonLines.sink(dir.resolve("out.jsonl")))
                    .run();
        }
    }
}

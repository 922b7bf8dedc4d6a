package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Time;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.run.Run;
import io.redrive.items.store.Balance;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real runs on real threads, in one file. */
@Timeout(300)
final class SqliteRunsTest {

    private static final int SAMPLES = 700;

    @TempDir
    private Path dir;

    @Test
    void concurrent_runs_do_not_see_each_other() throws InterruptedException {
        Path file = dir.resolve("runs.db");
        Map<String, Queue<String>> results = new ConcurrentHashMap<>();
        // Opened twice, as by two processes on one machine.
        try (RunStore one = SqliteRunStore.open(file);
                RunStore other = SqliteRunStore.open(file)) {
            List<Run> runs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                runs.add(start("run-" + i, i % 2 == 0 ? one : other, results));
            }
            for (Run run : runs) {
                assertThat(run.await().status()).isEqualTo(RunStatus.COMPLETED);
                assertThat(one.archive()
                                .find(run.id(), Time.system().now())
                                .orElseThrow()
                                .balance())
                        .isEqualTo(new Balance(SAMPLES, SAMPLES - SAMPLES / 7, SAMPLES / 7, 0, 0, 0));
                assertThat(results.get(run.id()))
                        .hasSize(SAMPLES - SAMPLES / 7)
                        .doesNotHaveDuplicates()
                        .allMatch(result -> result.startsWith(run.id() + "/"));
                assertThat(one.archive().stages(run.id()))
                        .singleElement()
                        .satisfies(stage -> assertThat(stage.attempts()).isEqualTo(SAMPLES));
            }
        }
    }

    private static Run start(String id, RunStore store, Map<String, Queue<String>> results) {
        Queue<String> mine = results.computeIfAbsent(id, run -> new ConcurrentLinkedQueue<>());
        ItemPipeline<String, String> pipeline = ItemPipeline.named("texts", Codec.text())
                .stage(Stage.<String, String>of(
                        "most",
                        null,
                        (text, context) ->
                                context.ordinal() % 7 == 0 ? StageOutcome.skip("a seventh") : StageOutcome.value(text)))
                .build();
        return Run.of(pipeline, store)
                .id(id)
                .from(SampleSource.of(
                        IntStream.range(0, SAMPLES).mapToObj(i -> id + "/" + i).toList()))
                .to(Sink.each(result -> mine.add(result.value())))
                .start();
    }
}

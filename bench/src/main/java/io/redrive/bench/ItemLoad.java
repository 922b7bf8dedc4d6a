package io.redrive.bench;

import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.run.Run;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import java.util.stream.IntStream;

/** Samples through empty stages: measures the cost of the engine and the store. */
final class ItemLoad {

    static final int STAGES = 3;
    private static final String TEXT = "x".repeat(300);

    private ItemLoad() {}

    /** The sample at this position, with a payload of about 300 bytes as in the events suite. */
    static String sample(int ordinal) {
        return ordinal + TEXT;
    }

    /** Creates a run, not yet started. */
    static Run.Builder<String, String> run(RunStore store, String id, int samples) {
        return Run.of(pipeline(), store)
                .id(id)
                .from(SampleSource.stream(() -> IntStream.range(0, samples).mapToObj(ItemLoad::sample)))
                .to(Sink.none());
    }

    /** Samples per second of a run, from start to end. */
    static double samplesPerSecond(RunStore store, String id, int samples, boolean audited) {
        Run.Builder<String, String> run = run(store, id, samples);
        long began = System.nanoTime();
        RunRecord end = (audited ? run : run.withoutAudit()).run();
        double seconds = (System.nanoTime() - began) / 1e9;
        if (end.status() != RunStatus.COMPLETED || end.totals().succeeded() != samples) {
            throw new IllegalStateException("not all samples are through: " + end);
        }
        return samples / seconds;
    }

    private static ItemPipeline<String, String> pipeline() {
        ItemPipeline.Builder<String, String> pipeline = ItemPipeline.named("no-op", Codec.text());
        for (int i = 1; i <= STAGES; i++) {
            pipeline = pipeline.stage(Stage.map("stage-" + i, value -> value));
        }
        return pipeline.build();
    }
}

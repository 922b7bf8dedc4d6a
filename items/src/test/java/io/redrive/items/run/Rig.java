package io.redrive.items.run;

import io.redrive.core.ManualTime;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/** A run stepped by hand: manual time, stages on the calling thread, results in a list. */
final class Rig {

    /** Keeps the logger with the raised level: the failures of these tests would fill thousands of lines. */
    private static final Logger LOG = Logger.getLogger("io.redrive.items");

    static {
        LOG.setLevel(Level.OFF);
    }

    final ManualTime time = new ManualTime();
    final List<String> results = new ArrayList<>();
    RunStore store = new InMemoryRunStore();
    long seed = 1;

    @SafeVarargs
    static ItemPipeline<String, String> pipeline(Stage<String, String>... stages) {
        ItemPipeline.Builder<String, String> builder = ItemPipeline.named("texts", Codec.text());
        for (Stage<String, String> stage : stages) {
            builder = builder.stage(stage);
        }
        return builder.build();
    }

    static SampleSource<String> numbers(int count) {
        return SampleSource.of(IntStream.range(0, count).mapToObj(i -> "s" + i).toList());
    }

    Run run(ItemPipeline<String, String> pipeline, SampleSource<String> source) {
        return run(pipeline, source, builder -> builder);
    }

    Run run(
            ItemPipeline<String, String> pipeline,
            SampleSource<String> source,
            UnaryOperator<Run.Builder<String, String>> settings) {
        Run.Builder<String, String> builder = Run.of(pipeline, store)
                .id("run-1")
                .to(Sink.each(result -> results.add(result.value())))
                .executor(Runnable::run)
                .time(time)
                .random(new Random(seed));
        return settings.apply(source == null ? builder : builder.from(source)).build();
    }

    /** Steps until the run is over, and advances the time when a step moves nothing. */
    RunRecord finish(Run run) {
        for (int i = 0; !run.isOver(); i++) {
            if (!run.step() && !run.isOver()) {
                Duration wait = run.untilNextStep();
                time.advance(wait.isZero() ? Duration.ofMillis(1) : wait);
            }
            if (i > 2_000_000) {
                throw new AssertionError("the run does not end: " + run.progress());
            }
        }
        return store.archive().find(run.id(), time.now()).orElseThrow();
    }

    RunRecord runToEnd(ItemPipeline<String, String> pipeline, SampleSource<String> source) {
        return finish(run(pipeline, source));
    }
}

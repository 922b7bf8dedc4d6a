package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Signal;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.SampleState;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A fault during the settlement of one sample leaves the other samples of the call alone. */
final class SettlerTest {

    private final ManualTime time = new ManualTime();
    private final ItemPipeline<String, String> pipeline = Rig.pipeline(Stage.<String>batch("s", 3, texts -> texts));
    private final Window window = new Window(RunSettings.STANDARD, pipeline.maxPayload());
    private final Ledger ledger = new Ledger("run-1", pipeline, true, Duration.ZERO);
    private final RunCounts counts = new RunCounts("run-1", pipeline.failureBudget(), pipeline.earlyStop());

    static Stream<Throwable> faults() {
        return Stream.of(
                new IllegalStateException("a bug"), new StackOverflowError(), new NoClassDefFoundError("gone"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void a_fault_at_one_sample_gives_up_on_that_sample_and_settles_its_neighbours(Throwable fault) {
        List<Sample> samples = List.of(Samples.sample(0), Samples.sample(1), Samples.sample(2));
        samples.forEach(sample -> {
            window.arrived(sample);
            ledger.taken(sample);
        });
        Lane lane = new Lane(0, pipeline.stages().get(0));
        // The worker reads the outcomes first, to look for hints; the settler comes next.
        List<StageOutcome<byte[]>> outcomes = new AbstractList<>() {
            private boolean answered;
            private boolean thrown;

            @Override
            public StageOutcome<byte[]> get(int index) {
                if (index == 1 && answered && !thrown) {
                    thrown = true;
                    SettlerTest.<RuntimeException>sneak(fault);
                }
                answered |= index == 2;
                return StageOutcome.skip("not needed");
            }

            @Override
            public int size() {
                return 3;
            }
        };
        CallResult call = CallResult.answered(lane, samples, outcomes, time.now(), Duration.ZERO);

        settler().settle(call, time.now());

        assertThat(samples)
                .extracting(Sample::state)
                .containsExactly(SampleState.SKIPPED, SampleState.DEAD, SampleState.SKIPPED);
    }

    private static <E extends Throwable> void sneak(Throwable error) throws E {
        @SuppressWarnings("unchecked")
        E same = (E) error;
        throw same;
    }

    private Settler settler() {
        Announcer announcer = new Announcer("run-1", "texts", new Listeners(List.of()));
        Workers workers = new Workers("run-1", pipeline, new Background(task -> {}, time, new Signal()));
        Lanes lanes = new Lanes(pipeline, window, time, workers);
        return new Settler(
                lanes,
                window,
                new RunBooks(ledger, counts, announcer),
                new CoordinatorParts(
                        null,
                        null,
                        RunSettings.STANDARD,
                        time,
                        pipeline,
                        null,
                        workers,
                        null,
                        announcer,
                        ledger,
                        new Judge(new Random(1)),
                        SinkOrder.AS_THEY_COME));
    }
}

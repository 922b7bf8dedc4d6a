package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Signal;
import io.redrive.core.Time;
import io.redrive.items.Item;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Stage;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reading a source beside the coordinator. */
@Timeout(120)
final class IntakeTest {

    private static final RunRecord NOTHING_YET =
            new InMemoryRunStore().open(new RunDefinition("run-1", "texts", List.of("s")), new Rig().time.now());

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void a_request_right_after_the_end_of_a_read_starts_another_read() {
        // More intakes than processors let the scheduler suspend threads at every possible point.
        int intakes = 4;
        int samples = 5_000;
        List<CompletableFuture<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < intakes; i++) {
            reads.add(CompletableFuture.supplyAsync(() -> readOneByOne(intake(Rig.numbers(samples))), threads));
        }

        assertThat(reads).allSatisfy(read -> assertThat(read.join()).isEqualTo(samples));
    }

    @Test
    void a_source_that_is_being_read_is_closed_when_the_read_is_through() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicInteger closings = new AtomicInteger();
        SampleSource<String> slow = () -> new SampleSource.Cursor<>() {
            @Override
            public Optional<Item<String>> next() throws InterruptedException {
                reading.countDown();
                goOn.await();
                return Optional.empty();
            }

            @Override
            public void close() {
                closings.incrementAndGet();
                closed.countDown();
            }
        };
        Intake<String> intake = intake(slow);
        intake.request(1);
        reading.await();
        intake.close();
        assertThat(closings).hasValue(0);
        goOn.countDown();
        closed.await();

        assertThat(closings).hasValue(1);
    }

    private static int readOneByOne(Intake<String> intake) {
        int read = 0;
        while (!intake.isEnded()) {
            intake.request(1);
            Intake.Chunk chunk = intake.poll();
            read += chunk == null ? 0 : chunk.reads().size();
        }
        return read;
    }

    private Intake<String> intake(SampleSource<String> source) {
        ItemPipeline<String, String> pipeline = Rig.pipeline(Stage.map("s", (String text) -> text));
        Intake<String> intake =
                new Intake<>("run-1", source, pipeline, new Background(threads, Time.system(), new Signal()));
        intake.begin(NOTHING_YET);
        return intake;
    }
}

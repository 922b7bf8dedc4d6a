package io.redrive.pipeline;

import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.StoreStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A separate process: one handler ends it by {@code System.exit}, and a shutdown hook closes the pipeline, as in
 * Spring.
 */
final class ExitingProcess {

    private static final int LOOKS = 300;

    private ExitingProcess() {}

    /** Writes the states of the events after the stop into the given file. */
    public static void main(String[] arguments) throws InterruptedException {
        Path report = Path.of(arguments[0]);
        InMemoryEventStore store = new InMemoryEventStore();
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Pipeline pipeline = Pipeline.on(store)
                .on("neighbour", event -> {
                    waiting.countDown();
                    never.await();
                })
                .on("killer", event -> {
                    waiting.await();
                    System.exit(3);
                })
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(pipeline, store, report)));
        pipeline.start();
        pipeline.publish(List.of(
                Event.named("killer").source("a").correlationId("c").build(),
                Event.named("neighbour").source("b").correlationId("c").build()));
        never.await();
    }

    private static void close(Pipeline pipeline, InMemoryEventStore store, Path report) {
        pipeline.stop(Duration.ofSeconds(1));
        StoreStats stats = store.stats(Instant.now());
        for (int look = 0; look < LOOKS && stats.ready() == 0; look++) {
            // On a busy machine the stop may outlast its limit, in the background.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            stats = store.stats(Instant.now());
        }
        try {
            Files.writeString(report, "claimed " + stats.claimed() + ", ready " + stats.ready());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

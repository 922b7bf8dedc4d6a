package io.redrive.cli;

import io.redrive.events.EventStore;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A process that handles the events of a SQLite file, as a server does, until its standard input ends. */
final class SharedFileWorker {

    private SharedFileWorker() {}

    /** Prints the number of troubles with the store, and exits. */
    public static void main(String[] args) throws IOException {
        AtomicInteger troubles = new AtomicInteger();
        try (EventStore store = SqliteStore.open(Path.of(args[0]));
                Pipeline pipeline = Pipeline.on(store)
                        .listener(new PipelineListener() {
                            @Override
                            public void onStoreTrouble(StoreTrouble event) {
                                troubles.incrementAndGet();
                            }
                        })
                        .on("*", event -> {})
                        .start()) {
            System.out.println("started " + pipeline.health().state());
            System.out.flush();
            System.in.readAllBytes();
        }
        System.out.println("troubles " + troubles.get());
    }
}

package io.redrive.kafka;

import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import java.nio.file.Path;
import java.time.Duration;

/** A process that relays the events of a SQLite file, which tests kill. Arguments: bootstrap servers, topic, folder. */
final class RelayProcess {

    private RelayProcess() {}

    public static void main(String[] arguments) throws Exception {
        SqliteStore store = SqliteStore.open(Path.of(arguments[2]).resolve("store.db"));
        KafkaBus bus = KafkaBus.builder().bootstrap(arguments[0]).open();
        bus.relay("order.*")
                .to(arguments[1])
                .on(Pipeline.on(store)
                        .profile(Profile.STANDARD
                                .withTimeLimit(Duration.ofSeconds(2))
                                .withLease(Duration.ofSeconds(3))))
                .start();
        System.in.read();
    }
}

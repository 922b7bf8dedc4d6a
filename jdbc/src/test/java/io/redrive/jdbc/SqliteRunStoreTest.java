package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Stage;
import io.redrive.items.run.Run;
import io.redrive.items.store.RunStore;
import io.redrive.testkit.RunStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of run stores, on real files. A crashed store is left open while another takes over. */
final class SqliteRunStoreTest extends RunStoreContract {

    /** A field, because a logger without a reference loses its level. Off: the failures are intended. */
    private static final Logger LOG = Logger.getLogger("io.redrive.items");

    static {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void a_store_that_was_closed_is_one_file(@TempDir Path alone) throws IOException {
        try (RunStore store = SqliteRunStore.open(alone.resolve("runs.db"))) {
            Run.of(
                            ItemPipeline.named("texts", Codec.text())
                                    .stage(Stage.map("strip", String::strip))
                                    .build(),
                            store)
                    .from(SampleSource.of(List.of("a", "b")))
                    .run();
            assertThat(store.archive().list(Optional.empty(), 10, Time.system().now()))
                    .hasSize(1);
        }
        try (Stream<Path> files = Files.list(alone)) {
            assertThat(files).singleElement().asString().endsWith("runs.db");
        }
    }

    @Override
    protected RunStore newStore(Path dir, ManualTime time) {
        SqliteFiles.create(dir).close();
        return SqliteRunStore.open(SqliteFiles.in(dir));
    }

    @Override
    protected RunStore reopenAfterCrash(RunStore crashed, Path dir, ManualTime time) {
        return SqliteRunStore.open(SqliteFiles.in(dir));
    }
}

package io.redrive.jdbc;

import io.redrive.core.ManualTime;
import io.redrive.items.store.RunStore;
import io.redrive.testkit.RunStoreContract;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The contract of run stores, on a real server. A crashed store is left open while another takes over. */
final class PostgresRunStoreIT extends RunStoreContract {

    /** A field, because a logger without a reference loses its level. Off: the failures are intended. */
    private static final Logger LOG = Logger.getLogger("io.redrive.items");

    static {
        LOG.setLevel(Level.OFF);
    }

    @Override
    protected RunStore newStore(Path dir, ManualTime time) {
        PostgresServer.get().create(dir, time).close();
        return PostgresServer.get().openRuns(dir, time);
    }

    @Override
    protected RunStore reopenAfterCrash(RunStore crashed, Path dir, ManualTime time) {
        return PostgresServer.get().openRuns(dir, time);
    }
}

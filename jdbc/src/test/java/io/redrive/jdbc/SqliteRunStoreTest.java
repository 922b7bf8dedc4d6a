package io.redrive.jdbc;

import io.redrive.core.ManualTime;
import io.redrive.items.RunStore;
import io.redrive.testkit.RunStoreContract;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The contract of run stores, on real files. A crashed store is one that is left open while another takes over. */
final class SqliteRunStoreTest extends RunStoreContract {

    /** Kept, so that its level is: thousands of lines about failures on purpose help nobody. */
    private static final Logger LOG = Logger.getLogger("io.redrive.items");

    static {
        LOG.setLevel(Level.OFF);
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

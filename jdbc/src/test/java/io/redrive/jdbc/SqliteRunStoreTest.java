package io.redrive.jdbc;

import io.redrive.core.ManualTime;
import io.redrive.items.RunStore;
import io.redrive.testkit.RunStoreContract;
import java.nio.file.Path;

/** The contract of run stores, on real files. A crashed store is one that is left open while another takes over. */
final class SqliteRunStoreTest extends RunStoreContract {

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

package io.redrive.jdbc;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import io.redrive.testkit.RedrivesContract;
import java.nio.file.Path;

/** The contract of redrive operations, on real files. */
final class SqliteRedrivesTest extends RedrivesContract {

    @Override
    protected EventStore newStore(Path dir, ManualTime time) {
        return SqliteFiles.create(dir);
    }

    @Override
    protected EventStore reopenAfterCrash(EventStore crashed, Path dir, ManualTime time) {
        return SqliteStore.open(SqliteFiles.in(dir));
    }

    @Override
    protected EventStore join(EventStore store, Path dir, ManualTime time) {
        return SqliteStore.open(SqliteFiles.in(dir));
    }
}

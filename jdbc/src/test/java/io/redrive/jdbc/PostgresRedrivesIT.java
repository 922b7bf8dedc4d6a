package io.redrive.jdbc;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import io.redrive.testkit.RedrivesContract;
import java.nio.file.Path;

/** The contract of redrive operations, on a real server. */
final class PostgresRedrivesIT extends RedrivesContract {

    @Override
    protected EventStore newStore(Path dir, ManualTime time) {
        return PostgresServer.get().create(dir, time);
    }

    @Override
    protected EventStore reopenAfterCrash(EventStore crashed, Path dir, ManualTime time) {
        return PostgresServer.get().open(dir, time);
    }

    @Override
    protected EventStore join(EventStore store, Path dir, ManualTime time) {
        return PostgresServer.get().open(dir, time);
    }
}

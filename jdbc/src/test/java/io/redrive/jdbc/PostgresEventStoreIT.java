package io.redrive.jdbc;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import io.redrive.testkit.EventStoreContract;
import java.nio.file.Path;

/** The contract of event stores, on a real server. A crashed store is left open while another takes over. */
final class PostgresEventStoreIT extends EventStoreContract {

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

    /**
     * Claims start at the low-water mark of their queue, and events of a key are queued when they become first in their
     * line.
     */
    @Override
    public boolean claimsExactly() {
        return false;
    }

    @Override
    public int randomUses() {
        return 8;
    }
}

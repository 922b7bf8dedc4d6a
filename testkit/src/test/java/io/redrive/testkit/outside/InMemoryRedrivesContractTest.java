package io.redrive.testkit.outside;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.testkit.RedrivesContract;
import java.nio.file.Path;

/** The contract of redrive operations, in memory, from outside the package, as a user extends it. */
final class InMemoryRedrivesContractTest extends RedrivesContract {

    @Override
    protected EventStore newStore(Path dir, ManualTime time) {
        return new InMemoryEventStore();
    }

    @Override
    protected EventStore reopenAfterCrash(EventStore crashed, Path dir, ManualTime time) {
        return crashed;
    }
}

package io.redrive.testkit.outside;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.testkit.DeadLettersContract;
import java.nio.file.Path;

/** In a package of its own, as the tests of any other store are. */
final class InMemoryDeadLettersContractTest extends DeadLettersContract {

    @Override
    protected EventStore newStore(Path dir, ManualTime time) {
        return new InMemoryEventStore();
    }

    @Override
    protected EventStore reopenAfterCrash(EventStore crashed, Path dir, ManualTime time) {
        return crashed;
    }
}

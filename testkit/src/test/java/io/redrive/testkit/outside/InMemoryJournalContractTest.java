package io.redrive.testkit.outside;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.testkit.JournalContract;
import java.nio.file.Path;

/** The contract of the journal, in memory, from outside the package, as a user extends it. */
final class InMemoryJournalContractTest extends JournalContract {

    @Override
    protected EventStore newStore(Path dir, ManualTime time) {
        return InMemoryEventStore.withJournal(RETENTION);
    }

    @Override
    protected EventStore reopenAfterCrash(EventStore crashed, Path dir, ManualTime time) {
        return crashed;
    }
}

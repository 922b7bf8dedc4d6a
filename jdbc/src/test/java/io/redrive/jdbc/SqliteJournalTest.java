package io.redrive.jdbc;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import io.redrive.testkit.JournalContract;
import java.nio.file.Path;

/** The contract of the journal, on real files. */
final class SqliteJournalTest extends JournalContract {

    private static final SqliteOptions OPTIONS = SqliteOptions.DEFAULT.withJournal(RETENTION);

    @Override
    protected EventStore newStore(Path dir, ManualTime time) {
        return SqliteFiles.create(dir, OPTIONS);
    }

    @Override
    protected EventStore reopenAfterCrash(EventStore crashed, Path dir, ManualTime time) {
        return SqliteStore.open(SqliteFiles.in(dir), OPTIONS);
    }

    @Override
    protected EventStore join(EventStore store, Path dir, ManualTime time) {
        return SqliteStore.open(SqliteFiles.in(dir), OPTIONS);
    }
}

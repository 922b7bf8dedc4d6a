package io.redrive.jdbc;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import io.redrive.testkit.JournalContract;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** The contract of the journal, on a real server. */
final class PostgresJournalIT extends JournalContract {

    private static final UnaryOperator<PostgresOptions> WITH_JOURNAL = options -> options.withJournal(RETENTION);

    @Override
    protected EventStore newStore(Path dir, ManualTime time) {
        return PostgresServer.get().create(dir, time, WITH_JOURNAL);
    }

    @Override
    protected EventStore reopenAfterCrash(EventStore crashed, Path dir, ManualTime time) {
        return PostgresServer.get().open(dir, time, WITH_JOURNAL);
    }

    @Override
    protected EventStore join(EventStore store, Path dir, ManualTime time) {
        return PostgresServer.get().open(dir, time, WITH_JOURNAL);
    }
}

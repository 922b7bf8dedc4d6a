package io.redrive.jdbc;

import io.redrive.events.HandledKeys;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.time.Instant;

/** Handled keys in the file. */
record SqliteHandledKeys(SqliteGroupCommitWriter writer, SqliteReaders readers) implements HandledKeys {

    @Override
    public boolean contains(String key, Instant now) {
        HandledKeys.require(key);
        return readers.read(session -> HandledKeyRows.contains(session, key, now));
    }

    @Override
    public void add(String key, Instant until, Instant now) {
        HandledKeys.require(key);
        writer.write(Sync.DURABLE, 0, session -> {
            HandledKeyRows.add(session, key, until);
            return HandledKeyRows.sweep(session, now);
        });
    }
}

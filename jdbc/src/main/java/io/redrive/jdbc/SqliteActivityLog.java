package io.redrive.jdbc;

import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityReport;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.time.Instant;

/** Activity in the file. */
record SqliteActivityLog(SqliteGroupCommitWriter writer, SqliteReaders readers) implements ActivityLog {

    @Override
    public void write(ActivityReport report) {
        writer.write(Sync.DURABLE, 0, session -> ActivityRows.write(session, report));
    }

    @Override
    public Activity read(ActivityQuery query) {
        return readers.read(session -> ActivityRows.read(session, query));
    }

    @Override
    public int expire(Instant now) {
        return writer.write(
                Sync.HARMLESS_TO_LOSE,
                0,
                session -> ActivityRows.expire(
                        session, "?", (statement, parameter) -> statement.setLong(parameter, Micros.of(now))));
    }
}

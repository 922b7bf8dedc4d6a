package io.redrive.jdbc;

import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityReport;
import java.time.Instant;

/** Activity in the database. The server's clock decides which periods are past their retention. */
record PostgresActivityLog(PostgresDatabase database, PostgresClock clock) implements ActivityLog {

    /** In microseconds. A subselect, so that a scan of the index evaluates the clock once. */
    private static final String NOW =
            "(SELECT coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint))";

    @Override
    public void write(ActivityReport report) {
        database.transaction(session -> ActivityRows.write(session, report));
    }

    @Override
    public Activity read(ActivityQuery query) {
        return database.snapshot(session -> ActivityRows.read(session, query));
    }

    @Override
    public int expire(Instant now) {
        return database.hotTransaction(session -> ActivityRows.expire(session, NOW, clock::bind));
    }
}

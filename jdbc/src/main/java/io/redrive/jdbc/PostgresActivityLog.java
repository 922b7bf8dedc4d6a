package io.redrive.jdbc;

import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityReport;
import io.redrive.events.activity.NameActivity;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;

/** Activity in the database. The server's clock decides which periods are past their retention. */
record PostgresActivityLog(PostgresDatabase database, PostgresClock clock) implements ActivityLog {

    /** In microseconds. A subselect, so that a scan of the index evaluates the clock once. */
    private static final String NOW =
            "(SELECT coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint))";

    /** One statement for all names: a statement for each name took several times as long. */
    private static final String WRITE = ActivityRows.WRITE.formatted("""
        SELECT ?, ?, name, ?, published, duplicates, done, retried, dead, batches, batch_timeouts, handler_time, latency
        FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            AS row (name, published, duplicates, done, retried, dead, batches, batch_timeouts, handler_time, latency)\
        """);

    @Override
    public void write(ActivityReport report) {
        database.transaction(session -> {
            for (ActivityPeriod period : ActivityPeriod.values()) {
                write(session, period, report);
            }
            return true;
        });
    }

    private static void write(PostgresSession session, ActivityPeriod period, ActivityReport report)
            throws SQLException {
        List<NameActivity> rows = report.of(period);
        PreparedStatement write = session.prepare(WRITE);
        write.setInt(1, period.ordinal());
        write.setLong(2, Micros.of(period.startOf(report.minute())));
        write.setString(3, report.node());
        write.setArray(4, session.texts(rows, NameActivity::name));
        write.setArray(5, counts(session, rows, ActivityCounts::published));
        write.setArray(6, counts(session, rows, ActivityCounts::duplicates));
        write.setArray(7, counts(session, rows, ActivityCounts::done));
        write.setArray(8, counts(session, rows, ActivityCounts::retried));
        write.setArray(9, counts(session, rows, ActivityCounts::dead));
        write.setArray(10, counts(session, rows, ActivityCounts::batches));
        write.setArray(11, counts(session, rows, ActivityCounts::batchTimeouts));
        write.setArray(
                12, session.bytes(rows, row -> ActivityRows.encoded(row.totals().handlerTime())));
        write.setArray(
                13, session.bytes(rows, row -> ActivityRows.encoded(row.totals().latency())));
        write.executeUpdate();
    }

    private static Array counts(PostgresSession session, List<NameActivity> rows, ToLongFunction<ActivityCounts> column)
            throws SQLException {
        return session.bigints(rows, row -> column.applyAsLong(row.totals().counts()));
    }

    @Override
    public Activity read(ActivityQuery query) {
        return database.snapshot(session -> ActivityRows.read(session, query));
    }

    @Override
    public ActivityCounts counts(ActivityQuery query) {
        return database.snapshot(session -> ActivityRows.counts(session, query));
    }

    @Override
    public int expire(Instant now) {
        return database.hotTransaction(session -> ActivityRows.expire(session, NOW, clock::bind));
    }
}

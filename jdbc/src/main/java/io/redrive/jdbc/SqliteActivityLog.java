package io.redrive.jdbc;

import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityReport;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.NameActivity;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;

/** Activity in the file. */
record SqliteActivityLog(SqliteGroupCommitWriter writer, SqliteReaders readers) implements ActivityLog {

    // Not formatted: the classes of the formatter would load whenever a store opens.
    private static final String WRITE =
            ActivityRows.WRITE.replace("%s", "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    @Override
    public void write(ActivityReport report) {
        writer.write(Sync.DURABLE, 0, session -> write(session, report));
    }

    /** Returns the number of written rows. */
    private static int write(SqliteSession session, ActivityReport report) throws SQLException {
        PreparedStatement write = session.prepare(WRITE);
        int rows = 0;
        for (ActivityPeriod period : ActivityPeriod.values()) {
            write.setInt(1, period.ordinal());
            write.setLong(2, Micros.of(period.startOf(report.minute())));
            write.setString(4, report.node());
            for (NameActivity activity : report.of(period)) {
                write.setString(3, activity.name());
                bind(write, activity.totals());
                write.addBatch();
                rows++;
            }
        }
        write.executeBatch();
        return rows;
    }

    private static void bind(PreparedStatement write, ActivityTotals totals) throws SQLException {
        ActivityCounts counts = totals.counts();
        write.setLong(5, counts.published());
        write.setLong(6, counts.duplicates());
        write.setLong(7, counts.done());
        write.setLong(8, counts.retried());
        write.setLong(9, counts.dead());
        write.setLong(10, counts.batches());
        write.setLong(11, counts.batchTimeouts());
        write.setBytes(12, ActivityRows.encoded(totals.handlerTime()));
        write.setBytes(13, ActivityRows.encoded(totals.latency()));
    }

    @Override
    public Activity read(ActivityQuery query) {
        return readers.read(session -> ActivityRows.read(session, query));
    }

    @Override
    public ActivityCounts counts(ActivityQuery query) {
        return readers.read(session -> ActivityRows.counts(session, query));
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

package io.redrive.jdbc;

import io.redrive.events.StoreStats;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Counts the events of a PostgreSQL store in each state. */
final class PostgresCounts {

    private PostgresCounts() {}

    static StoreStats stats(PostgresSession session, PostgresClock clock) throws SQLException {
        PreparedStatement stats = session.prepare(PostgresSql.STATS);
        clock.bind(stats, 1);
        try (ResultSet row = stats.executeQuery()) {
            row.next();
            long at = row.getLong(1);
            long ready = row.getLong(2);
            StoreStats.Waiting waiting = new StoreStats.Waiting(
                    row.getLong(7), row.getLong(8), waited(row, 9, at), row.getLong(10), row.getLong(11));
            return new StoreStats(
                    ready, row.getLong(3) - ready, row.getLong(5), row.getLong(6), waited(row, 4, at), waiting);
        }
    }

    private static Duration waited(ResultSet row, int oldestDueColumn, long now) throws SQLException {
        long oldest = row.getLong(oldestDueColumn);
        return row.wasNull() ? Duration.ZERO : Micros.toDuration(Math.max(0, now - oldest));
    }
}

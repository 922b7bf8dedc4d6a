package io.redrive.jdbc;

import io.redrive.events.StoreException;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.events.activity.NameActivity;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of activity, for both dialects. */
final class ActivityRows {

    /**
     * Replaces rows: a report whose answer was lost is written again with the same numbers. {@code %s} are the rows of
     * period, start, name, node, seven counts and two histograms.
     */
    static final String WRITE = """
        INSERT INTO redrive.activity (period, start_at, name, node, published, duplicates, done, retried, dead, batches,
            batch_timeouts, handler_time, latency)
        %s
        ON CONFLICT (period, start_at, name, node) DO UPDATE SET
            published = excluded.published, duplicates = excluded.duplicates, done = excluded.done,
            retried = excluded.retried, dead = excluded.dead, batches = excluded.batches,
            batch_timeouts = excluded.batch_timeouts, handler_time = excluded.handler_time, latency = excluded.latency
        """;

    private static final String READ = """
        SELECT start_at, name, published, duplicates, done, retried, dead, batches, batch_timeouts, handler_time, latency
        FROM redrive.activity
        WHERE period = ? AND start_at >= ? AND start_at < ? AND name >= ? AND name < ?
        ORDER BY start_at, name
        """;

    /** {@code %s} are the sums of the seven counts. */
    private static final String COUNT = """
        SELECT %s FROM redrive.activity
        WHERE period = ? AND start_at >= ? AND start_at < ? AND name >= ? AND name < ?
        """;

    private static final List<String> COUNTS =
            List.of("published", "duplicates", "done", "retried", "dead", "batches", "batch_timeouts");

    /** {@code %1$s} is the present in microseconds, {@code %2$s} is {@link Dialect#forUpdateSkipLocked}. */
    private static final String EXPIRE = """
        DELETE FROM redrive.activity
        WHERE (period, start_at, name, node) IN (
            SELECT period, start_at, name, node FROM redrive.activity
            WHERE period = ? AND start_at < %1$s - ?
            ORDER BY start_at LIMIT ?%2$s)
        """;

    /** Rows that the driver fetches at once, so that an answer of many rows needs little memory. */
    private static final int FETCHED_AT_ONCE = 1_000;

    private ActivityRows() {}

    /** Binds the present. */
    interface Present {
        void bind(PreparedStatement statement, int parameter) throws SQLException;
    }

    /** Returns the histogram as stored; null without durations. */
    static byte @Nullable [] encoded(DurationHistogram histogram) {
        return histogram.count() == 0 ? null : histogram.encode();
    }

    static Activity read(SqlSession session, ActivityQuery query) throws SQLException {
        PreparedStatement read = session.prepare(READ);
        read.setFetchSize(FETCHED_AT_ONCE);
        bind(read, query);
        Activity.Builder answer = new Activity.Builder(query);
        try (ResultSet row = read.executeQuery()) {
            while (row.next()) {
                answer.add(Micros.toInstant(row.getLong(1)), activity(row));
            }
        }
        return answer.build();
    }

    private static void bind(PreparedStatement statement, ActivityQuery query) throws SQLException {
        statement.setInt(1, query.period().ordinal());
        statement.setLong(2, Micros.of(query.from()));
        statement.setLong(3, Micros.of(query.until()));
        statement.setString(4, query.lowest());
        statement.setString(5, query.beyond());
    }

    /** Adds the counts up in the database, which then sends one row. Sums beyond a long are the largest long. */
    static ActivityCounts counts(SqlSession session, ActivityQuery query) throws SQLException {
        String sum = session.dialect() == Dialect.SQLITE
                ? "CAST(total(%s) AS INTEGER)"
                : "least(coalesce(sum(%s), 0), " + Long.MAX_VALUE + ")::bigint";
        String sums = COUNTS.stream().map(sum::formatted).collect(Collectors.joining(", "));
        PreparedStatement count = session.prepare(COUNT.formatted(sums));
        bind(count, query);
        try (ResultSet row = count.executeQuery()) {
            row.next();
            return new ActivityCounts(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6),
                    row.getLong(7));
        }
    }

    private static NameActivity activity(ResultSet row) throws SQLException {
        try {
            ActivityCounts counts = new ActivityCounts(
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6),
                    row.getLong(7),
                    row.getLong(8),
                    row.getLong(9));
            return new NameActivity(
                    row.getString(2), new ActivityTotals(counts, decoded(row.getBytes(10)), decoded(row.getBytes(11))));
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    "activity of '" + row.getString(2) + "' at " + Micros.toInstant(row.getLong(1))
                            + " cannot be read: " + e.getMessage() + "; delete this row of the table activity",
                    e);
        }
    }

    private static DurationHistogram decoded(byte @Nullable [] bytes) {
        return bytes == null ? DurationHistogram.EMPTY : DurationHistogram.decode(bytes);
    }

    /**
     * Deletes rows past their retention.
     *
     * @param nowSql the present in microseconds, with one parameter
     */
    static int expire(SqlSession session, String nowSql, Present now) throws SQLException {
        PreparedStatement expire = session.prepare(EXPIRE.formatted(nowSql, session.dialect().forUpdateSkipLocked));
        int removed = 0;
        for (ActivityPeriod period : ActivityPeriod.values()) {
            expire.setInt(1, period.ordinal());
            now.bind(expire, 2);
            expire.setLong(3, Micros.between(Instant.EPOCH, Instant.EPOCH.plus(period.kept())));
            expire.setInt(4, ActivityLog.EXPIRED_AT_ONCE);
            removed += expire.executeUpdate();
        }
        return removed;
    }
}

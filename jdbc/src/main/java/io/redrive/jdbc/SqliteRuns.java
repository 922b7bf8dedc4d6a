package io.redrive.jdbc;

import io.redrive.items.Lease;
import io.redrive.items.RunRecord;
import io.redrive.items.RunStatus;
import io.redrive.items.SampleRecord;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What several of a run store's transactions do: find runs, look at leases, set free what the dead held. */
final class SqliteRuns {

    private SqliteRuns() {}

    static long number(SqliteSession session, String run) throws SQLException {
        PreparedStatement find = session.prepare(SqliteRunSql.RUN_NUMBER);
        find.setString(1, run);
        try (ResultSet row = find.executeQuery()) {
            if (!row.next()) {
                throw new IllegalArgumentException("there must be a run '" + run + "'; open it first");
            }
            return row.getLong(1);
        }
    }

    static Optional<RunRecord> find(SqliteSession session, String run, Instant now) throws SQLException {
        PreparedStatement find = session.prepare(SqliteRunSql.FIND_RUN);
        find.setString(1, run);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? Optional.of(record(session, row, now)) : Optional.empty();
        }
    }

    static RunRecord record(SqliteSession session, ResultSet row, Instant now) throws SQLException {
        int unclaimed = row.getInt("workers") < 2 ? 0 : countFree(session, row.getLong("number"), now);
        return RunRows.run(row, unclaimed);
    }

    private static int countFree(SqliteSession session, long number, Instant now) throws SQLException {
        PreparedStatement count = session.prepare(SqliteRunSql.COUNT_FREE);
        count.setLong(1, number);
        count.setLong(2, Micros.of(now));
        count.setInt(3, RunRecord.MOST_UNCLAIMED);
        try (ResultSet row = count.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    /** The numbers of a lease's last commit and last claim. */
    record Worker(long commits, long claims) {}

    /** Null when the lease is stale. */
    static Worker worker(SqliteSession session, Lease lease) throws SQLException {
        PreparedStatement find = session.prepare(SqliteRunSql.WORKER);
        find.setLong(1, lease.token());
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? new Worker(row.getLong(1), row.getLong(2)) : null;
        }
    }

    /** Sets free what processes hold whose lease ran out. */
    static void recover(SqliteSession session, long number, Instant now) throws SQLException {
        PreparedStatement expired = session.prepare(SqliteRunSql.EXPIRED_WORKERS);
        expired.setLong(1, number);
        expired.setLong(2, Micros.of(now));
        for (long token : tokens(expired)) {
            free(session, number, token);
        }
    }

    static void freeAll(SqliteSession session, long number) throws SQLException {
        PreparedStatement workers = session.prepare(SqliteRunSql.WORKERS);
        workers.setLong(1, number);
        for (long token : tokens(workers)) {
            free(session, number, token);
        }
    }

    static void free(SqliteSession session, long number, long token) throws SQLException {
        PreparedStatement samples = session.prepare(SqliteRunSql.FREE_SAMPLES);
        samples.setLong(1, token);
        samples.executeUpdate();
        PreparedStatement worker = session.prepare(SqliteRunSql.REMOVE_WORKER);
        worker.setLong(1, token);
        worker.executeUpdate();
        PreparedStatement reader = session.prepare(SqliteRunSql.NO_READER);
        reader.setLong(1, number);
        reader.setLong(2, token);
        reader.executeUpdate();
    }

    static void end(SqliteSession session, long number, RunStatus status, Instant now) throws SQLException {
        PreparedStatement end = session.prepare(SqliteRunSql.END_RUN);
        end.setLong(1, number);
        end.setString(2, status.code());
        end.setLong(3, Micros.of(now));
        end.executeUpdate();
    }

    /** The files of payloads that these samples no longer need. */
    static List<String> replacedFiles(SqliteSession session, long number, List<SampleRecord> samples)
            throws SQLException {
        List<String> replaced = new ArrayList<>();
        PreparedStatement find = session.prepare(SqliteRunSql.PAYLOAD_FILE);
        for (SampleRecord sample : samples) {
            if (!sample.payloadKept()) {
                find.setLong(1, RunRows.key(number, sample.ordinal()));
                try (ResultSet row = find.executeQuery()) {
                    if (row.next()) {
                        replaced.add(row.getString(1));
                    }
                }
            }
        }
        return replaced;
    }

    private static List<Long> tokens(PreparedStatement query) throws SQLException {
        List<Long> tokens = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                tokens.add(row.getLong(1));
            }
        }
        return tokens;
    }
}

package io.redrive.jdbc;

import io.redrive.items.store.Commit;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleRecord;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Steps common to several transactions of a run store: find runs, check leases, free the samples of crashed workers.
 * Rows are locked in the same order everywhere (workers, samples, the run), so that transactions never deadlock.
 */
final class RunTables {

    private RunTables() {}

    static long number(SqlSession session, String run) throws SQLException {
        long number = numberOrNone(session, run);
        if (number == 0) {
            throw new IllegalArgumentException("there must be a run '" + run + "'; open it first");
        }
        return number;
    }

    /** Returns 0, which is no run's number, for a run that does not exist. */
    static long numberOrNone(SqlSession session, String run) throws SQLException {
        PreparedStatement find = session.prepare(RunSql.RUN_NUMBER);
        find.setString(1, run);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    static Optional<RunRecord> find(SqlSession session, String run, Instant now) throws SQLException {
        PreparedStatement find = session.prepare(RunSql.FIND_RUN);
        find.setString(1, run);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? Optional.of(record(session, row, now)) : Optional.empty();
        }
    }

    static RunRecord record(SqlSession session, ResultSet row, Instant now) throws SQLException {
        int unclaimed = row.getInt("workers") < 2 ? 0 : countFree(session, row.getLong("number"), now);
        return RunRows.run(row, unclaimed, now);
    }

    /** The run as an archive shows it: interrupted, when its status is running and no lease is valid. */
    static RunRecord shown(RunSession session, ResultSet row, Instant now) throws SQLException {
        RunRecord run = record(session, row, Instant.MAX);
        boolean left = run.status() == RunStatus.RUNNING && RunRows.isLeft(row, session.now(now));
        return left ? run.interrupted() : run;
    }

    private static int countFree(SqlSession session, long number, Instant now) throws SQLException {
        PreparedStatement count = session.prepare(RunSql.COUNT_FREE);
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

    /** Finds the worker of a lease, and locks its row until the transaction ends. Empty when the lease is stale. */
    static Optional<Worker> worker(SqlSession session, Lease lease) throws SQLException {
        PreparedStatement find = session.prepare(RunSql.WORKER + session.dialect().forUpdate);
        find.setLong(1, lease.token());
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? Optional.of(new Worker(row.getLong(1), row.getLong(2))) : Optional.empty();
        }
    }

    /** Frees the samples of workers whose lease has expired. Skips a worker that is committing. */
    static void recover(SqlSession session, long number, Instant now) throws SQLException {
        PreparedStatement expired = session.prepare(RunSql.EXPIRED_WORKERS + session.dialect().forUpdateSkipLocked);
        expired.setLong(1, number);
        expired.setLong(2, Micros.of(now));
        List<Long> tokens = new ArrayList<>();
        try (ResultSet row = expired.executeQuery()) {
            while (row.next()) {
                tokens.add(row.getLong(1));
            }
        }
        for (long token : tokens) {
            crash(session, number, token);
        }
    }

    /** Removes a crashed worker: counts a crash for the samples it had begun, and frees its samples. */
    static void crash(SqlSession session, long number, long token) throws SQLException {
        PreparedStatement samples = session.prepare(RunSql.COUNT_CRASHED);
        samples.setLong(1, token);
        samples.executeUpdate();
        free(session, number, token);
        PreparedStatement run = session.prepare(RunSql.COUNT_CRASH);
        run.setLong(1, number);
        run.executeUpdate();
    }

    static void free(SqlSession session, long number, long token) throws SQLException {
        PreparedStatement worker = session.prepare(RunSql.REMOVE_WORKER);
        worker.setLong(1, token);
        worker.executeUpdate();
        PreparedStatement samples = session.prepare(RunSql.FREE_SAMPLES);
        samples.setLong(1, token);
        samples.executeUpdate();
        PreparedStatement reader = session.prepare(RunSql.NO_READER);
        reader.setLong(1, number);
        reader.setLong(2, token);
        reader.executeUpdate();
    }

    /** Ends the time worked at {@code from} when the run has no worker left. */
    static void rest(SqlSession session, long number, Instant from) throws SQLException {
        PreparedStatement rest = session.prepare(RunSql.REST_RUN);
        rest.setLong(1, Micros.of(from));
        rest.setLong(2, Micros.of(from));
        rest.setLong(3, number);
        rest.setLong(4, 0);
        rest.executeUpdate();
    }

    static void end(SqlSession session, long number, RunStatus status, Instant now) throws SQLException {
        PreparedStatement end = session.prepare(RunSql.END_RUN);
        bindEnd(end, number, status, now);
        end.executeUpdate();
    }

    /** Returns false when a sample is pending. */
    static boolean finish(SqlSession session, long number, RunStatus status, Instant now) throws SQLException {
        PreparedStatement finish = session.prepare(RunSql.FINISH_RUN);
        bindEnd(finish, number, status, now);
        return finish.executeUpdate() > 0;
    }

    private static void bindEnd(PreparedStatement statement, long number, RunStatus status, Instant now)
            throws SQLException {
        statement.setString(1, status.code());
        statement.setLong(2, Micros.of(now));
        statement.setLong(3, Micros.of(now));
        statement.setLong(4, number);
    }

    /**
     * The files that no sample names. Returns none while the run has several workers, which may be about to name a
     * file.
     */
    static List<String> unnamedFiles(SqlSession session, String run, List<String> files) throws SQLException {
        List<String> unnamed = new ArrayList<>();
        if (files.isEmpty() || find(session, run, Instant.MAX).orElseThrow().workers() > 1) {
            return unnamed;
        }
        long number = number(session, run);
        for (String file : files) {
            if (!file.equals(payloadFile(session, RunRows.key(number, PayloadFiles.ordinalOf(file))))) {
                unnamed.add(file);
            }
        }
        return unnamed;
    }

    /** The payload files which these samples no longer need. */
    static List<String> replacedFiles(SqlSession session, long number, List<Commit.Change> changes)
            throws SQLException {
        List<String> replaced = new ArrayList<>();
        for (Commit.Change change : changes) {
            SampleRecord sample = change.sample();
            boolean kept = sample.payload() instanceof SampleRecord.Payload.Kept;
            String file = kept ? null : payloadFile(session, RunRows.key(number, sample.ordinal()));
            if (file != null) {
                replaced.add(file);
            }
        }
        return replaced;
    }

    /** The name of a sample's payload file; null when its payload is in the row or missing. */
    private static @Nullable String payloadFile(SqlSession session, long sample) throws SQLException {
        PreparedStatement find = session.prepare(RunSql.PAYLOAD_FILE);
        find.setLong(1, sample);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }
}

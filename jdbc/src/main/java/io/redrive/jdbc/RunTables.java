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
 * What several transactions of a run store do: find runs, look at leases, set free what the dead held. Rows are locked in
 * one order everywhere (workers, samples, the run), so that transactions wait for each other and never in a circle.
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

    /** 0 for a run that does not exist: there is nothing under that number. */
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

    /** As people see it. */
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

    /** Null when the lease is stale; else the lease stays good until the transaction ends. */
    static Optional<Worker> worker(SqlSession session, Lease lease) throws SQLException {
        PreparedStatement find = session.prepare(RunSql.WORKER + session.dialect().forUpdate);
        find.setLong(1, lease.token());
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? Optional.of(new Worker(row.getLong(1), row.getLong(2))) : Optional.empty();
        }
    }

    /** Sets free what processes hold whose lease ran out; one that is committing at this moment is not dead. */
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

    /** A process died: samples that it had begun are counted, and whatever it held is free. */
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

    /** If no process is left, nothing is done from then on. */
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

    /** False when a sample has no end yet. */
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

    /** Those of these files that no sample names; none when others are at work, who may be about to name them. */
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

    /** The files of payloads that these samples no longer need. */
    static List<String> replacedFiles(SqlSession session, long number, List<Commit.Change> changes)
            throws SQLException {
        List<String> replaced = new ArrayList<>();
        for (Commit.Change change : changes) {
            SampleRecord sample = change.sample();
            String file = sample.payloadKept() ? null : payloadFile(session, RunRows.key(number, sample.ordinal()));
            if (file != null) {
                replaced.add(file);
            }
        }
        return replaced;
    }

    /** Null when the sample's payload is no file. */
    private static @Nullable String payloadFile(SqlSession session, long sample) throws SQLException {
        PreparedStatement find = session.prepare(RunSql.PAYLOAD_FILE);
        find.setLong(1, sample);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }
}

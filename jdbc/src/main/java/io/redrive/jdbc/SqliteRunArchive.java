package io.redrive.jdbc;

import io.redrive.items.DeadFilter;
import io.redrive.items.DeadSample;
import io.redrive.items.ErrorCount;
import io.redrive.items.Lease;
import io.redrive.items.RunArchive;
import io.redrive.items.RunDefinition;
import io.redrive.items.RunRecord;
import io.redrive.items.SampleRecord;
import io.redrive.items.StageAttempt;
import io.redrive.items.StageCounts;
import io.redrive.items.WorkerRecord;
import io.redrive.jdbc.GroupCommitWriter.Sync;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What people ask about runs in a SQLite file, and do to them. */
final class SqliteRunArchive implements RunArchive {

    private final GroupCommitWriter writer;
    private final SqliteReaders readers;
    private final PayloadFiles files;

    SqliteRunArchive(GroupCommitWriter writer, SqliteReaders readers, PayloadFiles files) {
        this.writer = writer;
        this.readers = readers;
        this.files = files;
    }

    @Override
    public Optional<RunRecord> find(String run) {
        return readers.read(session -> SqliteRuns.find(session, run, Instant.MAX));
    }

    @Override
    public List<RunRecord> list(Optional<String> pipeline, int limit) {
        return readers.read(session -> {
            PreparedStatement list = session.prepare(SqliteRunSql.LIST_RUNS);
            list.setString(1, pipeline.orElse(null));
            list.setInt(2, limit);
            List<RunRecord> runs = new ArrayList<>();
            try (ResultSet row = list.executeQuery()) {
                while (row.next()) {
                    runs.add(SqliteRuns.record(session, row, Instant.MAX));
                }
            }
            return runs;
        });
    }

    @Override
    public List<WorkerRecord> workers(String run) {
        return readers.read(session -> {
            PreparedStatement query = session.prepare(SqliteRunArchiveSql.WORKERS);
            query.setLong(1, numberOrNone(session, run));
            List<WorkerRecord> workers = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    workers.add(new WorkerRecord(
                            new Lease(run, row.getLong(1)), row.getString(2), Micros.toInstant(row.getLong(3))));
                }
            }
            return workers;
        });
    }

    @Override
    public List<DeadSample> dead(DeadFilter filter, int limit) {
        return readers.read(session -> {
            RunConditions conditions = RunConditions.of(filter, SqliteRunArchiveSql.DIALECT);
            PreparedStatement query = session.prepare(SqliteRunArchiveSql.DEAD.formatted(conditions.where()));
            int bound = conditions.bind(query);
            query.setInt(bound + 1, limit);
            List<DeadSample> found = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    found.add(deadSample(row));
                }
            }
            return found;
        });
    }

    @Override
    public Optional<SampleRecord> sample(String run, long ordinal) {
        return readers.read(session -> {
            PreparedStatement query = session.prepare(SqliteRunArchiveSql.SAMPLE);
            query.setLong(1, RunRows.key(numberOrNone(session, run), ordinal));
            return first(query);
        });
    }

    @Override
    public Optional<SampleRecord> sampleById(String run, String id) {
        return readers.read(session -> {
            PreparedStatement query = session.prepare(SqliteRunArchiveSql.SAMPLE_BY_ID);
            bindRange(query, session, run);
            query.setString(3, id);
            return first(query);
        });
    }

    @Override
    public List<StageAttempt> attempts(String run, long ordinal) {
        return readers.read(session -> {
            PreparedStatement query = session.prepare(SqliteRunArchiveSql.ATTEMPTS);
            query.setLong(1, RunRows.key(numberOrNone(session, run), ordinal));
            List<StageAttempt> attempts = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    attempts.add(RunRows.attempt(row, ordinal));
                }
            }
            return attempts;
        });
    }

    @Override
    public SortedMap<Integer, Long> retries(String run) {
        return readers.read(session -> {
            PreparedStatement query = session.prepare(SqliteRunArchiveSql.RETRIES);
            bindRange(query, session, run);
            SortedMap<Integer, Long> histogram = new TreeMap<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    histogram.put(row.getInt(1), row.getLong(2));
                }
            }
            return histogram;
        });
    }

    @Override
    public List<ErrorCount> errors(String run, int limit) {
        return readers.read(session -> {
            PreparedStatement query = session.prepare(SqliteRunArchiveSql.ERRORS);
            bindRange(query, session, run);
            query.setInt(3, limit);
            List<ErrorCount> errors = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    errors.add(RunRows.error(row));
                }
            }
            return errors;
        });
    }

    @Override
    public List<StageCounts> stages(String run) {
        return readers.read(session -> {
            PreparedStatement query = session.prepare(SqliteRunArchiveSql.STAGES);
            bindRange(query, session, run);
            Map<String, StageCounts> counts = new HashMap<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    counts.put(row.getString(1), RunRows.stage(row));
                }
            }
            return RunRows.inOrder(
                    counts, SqliteRuns.find(session, run, Instant.MAX).map(RunRecord::definition));
        });
    }

    @Override
    public long reprocess(DeadFilter filter, Instant now) {
        RunConditions conditions = RunConditions.of(filter, SqliteRunArchiveSql.DIALECT);
        return writer.write(Sync.DURABLE, 0, session -> {
            Map<Long, Long> revived = new HashMap<>();
            PreparedStatement query = session.prepare(SqliteRunArchiveSql.REVIVABLE.formatted(conditions.where()));
            conditions.bind(query);
            List<Long> samples = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    samples.add(row.getLong(1));
                    revived.merge(RunRows.runOf(row.getLong(1)), 1L, Long::sum);
                }
            }
            PreparedStatement revive = session.prepare(SqliteRunArchiveSql.REVIVE);
            for (long sample : samples) {
                revive.setLong(1, sample);
                revive.addBatch();
            }
            if (!samples.isEmpty()) {
                revive.executeBatch();
            }
            PreparedStatement count = session.prepare(SqliteRunArchiveSql.COUNT_REVIVED);
            for (Map.Entry<Long, Long> run : revived.entrySet()) {
                count.setLong(1, run.getKey());
                count.setLong(2, run.getValue());
                count.setLong(3, Micros.of(now));
                count.executeUpdate();
            }
            return (long) samples.size();
        });
    }

    @Override
    public boolean cancel(String run, Instant now) {
        return writer.write(Sync.DURABLE, 0, session -> {
            PreparedStatement cancel = session.prepare(SqliteRunArchiveSql.CANCEL);
            cancel.setString(1, run);
            cancel.setLong(2, Micros.of(now));
            return cancel.executeUpdate() > 0;
        });
    }

    @Override
    public boolean delete(String run, Instant now) {
        long[] deleted = {-1};
        boolean found = writer.write(Sync.DURABLE, 0, session -> {
            Optional<RunRecord> record = SqliteRuns.find(session, run, now);
            if (record.isEmpty()) {
                return false;
            }
            long number = SqliteRuns.number(session, run);
            SqliteRuns.recover(session, number, now);
            int workers = SqliteRuns.find(session, run, now).orElseThrow().workers();
            if (workers > 0) {
                throw new IllegalStateException("run '" + run + "' must not be deleted while " + workers
                        + " processes work on it; stop or cancel it first");
            }
            for (String statement : SqliteRunArchiveSql.DELETE_ALL) {
                PreparedStatement delete = session.prepare(statement);
                delete.setLong(1, RunRows.key(number, 0));
                delete.setLong(2, RunRows.key(number + 1, 0) - 1);
                delete.setLong(3, number);
                delete.executeUpdate();
            }
            deleted[0] = number;
            return true;
        });
        if (found) {
            files.sweep(deleted[0], name -> false);
        }
        return found;
    }

    private Optional<SampleRecord> first(PreparedStatement query) throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            return row.next() ? Optional.of(RunRows.sample(row, files)) : Optional.empty();
        }
    }

    private DeadSample deadSample(ResultSet row) throws SQLException {
        RunDefinition definition = new RunDefinition(
                row.getString("run_id"), row.getString("pipeline"), RunRows.names(row.getString("stages")));
        SampleRecord sample = RunRows.sample(row, files);
        return new DeadSample(definition.id(), definition.pipeline(), definition.stageAt(sample.stage()), sample);
    }

    private static void bindRange(PreparedStatement query, SqliteSession session, String run) throws SQLException {
        long number = numberOrNone(session, run);
        query.setLong(1, RunRows.key(number, 0));
        query.setLong(2, RunRows.key(number + 1, 0) - 1);
    }

    /** 0 for a run that does not exist: there is nothing under that number. */
    private static long numberOrNone(SqliteSession session, String run) throws SQLException {
        PreparedStatement find = session.prepare(SqliteRunSql.RUN_NUMBER);
        find.setString(1, run);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }
}

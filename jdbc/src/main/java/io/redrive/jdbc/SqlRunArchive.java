package io.redrive.jdbc;

import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.StageCounts;
import io.redrive.items.store.StageSpending;
import io.redrive.items.store.Throughput;
import io.redrive.items.store.WorkerRecord;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A run archive in a database of either dialect. */
final class SqlRunArchive implements RunArchive {

    private final SqlRunStore.Transactions transactions;
    private final PayloadFiles files;

    SqlRunArchive(SqlRunStore.Transactions transactions, PayloadFiles files) {
        this.transactions = transactions;
        this.files = files;
    }

    @Override
    public Optional<RunRecord> find(String run, Instant now) {
        return transactions.read(session -> {
            PreparedStatement find = session.prepare(RunSql.FIND_RUN);
            find.setString(1, run);
            return all(find, row -> RunTables.shown(session, row, now)).stream().findFirst();
        });
    }

    @Override
    public List<RunRecord> list(Optional<String> pipeline, Optional<String> after, int limit, Instant now) {
        return transactions.read(session -> {
            PreparedStatement list = session.prepare(RunArchiveSql.LIST_RUNS);
            list.setString(1, pipeline.orElse(null));
            list.setString(2, pipeline.orElse(null));
            list.setString(3, after.orElse(null));
            list.setString(4, after.orElse(null));
            list.setInt(5, limit);
            return all(list, row -> RunTables.shown(session, row, now));
        });
    }

    @Override
    public List<WorkerRecord> workers(String run) {
        return transactions.read(session -> {
            PreparedStatement query = session.prepare(RunArchiveSql.WORKERS);
            query.setLong(1, RunTables.numberOrNone(session, run));
            return all(
                    query,
                    row -> new WorkerRecord(
                            new Lease(run, row.getLong(1)), row.getString(2), Micros.toInstant(row.getLong(3))));
        });
    }

    @Override
    public List<DeadSample> dead(DeadFilter filter, int limit) {
        return transactions.read(session -> {
            DeadSampleConditions conditions = DeadSampleConditions.of(filter, session.dialect());
            PreparedStatement query = session.prepare(RunArchiveSql.DEAD.formatted(conditions.where()));
            int bound = conditions.bind(query);
            query.setInt(bound + 1, limit);
            return all(query, this::deadSample);
        });
    }

    @Override
    public Optional<SampleRecord> sample(String run, long ordinal) {
        return transactions.read(session -> {
            PreparedStatement query = prepare(session, RunArchiveSql.SAMPLES);
            bindSample(query, RunTables.numberOrNone(session, run), ordinal);
            return all(query, this::sample).stream().findFirst();
        });
    }

    @Override
    public Optional<SampleRecord> sampleById(String run, String id) {
        return transactions.read(session -> {
            PreparedStatement query = prepare(session, RunArchiveSql.SAMPLE_BY_ID);
            bindSamples(query, RunTables.numberOrNone(session, run));
            query.setString(3, id);
            return all(query, this::sample).stream().findFirst();
        });
    }

    @Override
    public List<StageAttempt> attempts(String run, long ordinal) {
        return transactions.read(session -> {
            PreparedStatement query = prepare(session, RunArchiveSql.ATTEMPTS);
            bindSample(query, RunTables.numberOrNone(session, run), ordinal);
            return all(query, row -> RunRows.attempt(row, ordinal));
        });
    }

    @Override
    public SortedMap<Integer, Long> retries(String run) {
        return transactions.read(session -> {
            PreparedStatement query = prepare(session, RunArchiveSql.RETRIES);
            bindSamples(query, RunTables.numberOrNone(session, run));
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
        return transactions.read(session -> {
            PreparedStatement query = prepare(session, RunArchiveSql.ERRORS);
            bindSamples(query, RunTables.numberOrNone(session, run));
            query.setInt(3, limit);
            Map<List<String>, Long> dead = deadOf(session, run);
            return all(query, row -> RunRows.error(row, dead));
        });
    }

    /** Numbers of dead samples by stage and error type. */
    private static Map<List<String>, Long> deadOf(SqlSession session, String run) throws SQLException {
        Optional<RunRecord> found = RunTables.find(session, run, Instant.MAX);
        Map<List<String>, Long> dead = new HashMap<>();
        if (found.isPresent()) {
            PreparedStatement query = session.prepare(RunArchiveSql.DEAD_OF);
            bindSamples(query, RunTables.number(session, run));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    String stage = found.get().definition().stageAt(row.getInt(1));
                    dead.put(List.of(stage, row.getString(2)), row.getLong(3));
                }
            }
        }
        return dead;
    }

    @Override
    public List<Throughput> throughput(String run, Duration interval) {
        long micros = interval.toNanos() / 1_000;
        return transactions.read(session -> {
            Optional<RunRecord> found = RunTables.find(session, run, Instant.MAX);
            if (found.isEmpty()) {
                return List.of();
            }
            List<String> stages = found.get().definition().stages();
            PreparedStatement query = session.prepare(RunArchiveSql.THROUGHPUT.formatted(
                    session.dialect().allSamples, session.dialect().sampleIsBetween, micros));
            bindSamples(query, RunTables.number(session, run));
            query.setString(3, stages.get(stages.size() - 1));
            return all(
                    query,
                    row -> new Throughput(
                            Micros.toInstant(row.getLong(1)), row.getLong(2), row.getLong(3), row.getLong(4)));
        });
    }

    @Override
    public List<StageCounts> stages(String run) {
        return transactions.read(session -> {
            PreparedStatement query = prepare(session, RunArchiveSql.STAGES);
            bindSamples(query, RunTables.numberOrNone(session, run));
            Map<String, StageCounts> counts = new HashMap<>();
            all(query, RunRows::stage).forEach(stage -> counts.put(stage.stage(), stage));
            return RunRows.inOrder(
                    counts, RunTables.find(session, run, Instant.MAX).map(RunRecord::definition));
        });
    }

    @Override
    public List<StageSpending> spending(String run) {
        return transactions.read(session -> {
            PreparedStatement query = session.prepare(RunArchiveSql.COSTS);
            query.setLong(1, RunTables.numberOrNone(session, run));
            return all(query, RunRows::spending);
        });
    }

    @Override
    public long reprocess(DeadFilter filter, Instant now) {
        return transactions.write(0, session -> {
            List<Long> samples = revivable(session, filter);
            Map<Long, Long> revived = new TreeMap<>();
            PreparedStatement revive = session.prepare(RunArchiveSql.REVIVE);
            for (long sample : samples) {
                revived.merge(RunRows.runOf(sample), 1L, Long::sum);
                revive.setLong(1, sample);
                revive.addBatch();
            }
            if (!samples.isEmpty()) {
                revive.executeBatch();
            }
            PreparedStatement count = session.prepare(RunArchiveSql.COUNT_REVIVED);
            for (Map.Entry<Long, Long> run : revived.entrySet()) {
                count.setLong(1, run.getValue());
                count.setLong(2, Micros.of(now));
                count.setLong(3, Micros.of(now));
                count.setLong(4, run.getKey());
                count.executeUpdate();
            }
            return (long) samples.size();
        });
    }

    private static List<Long> revivable(SqlSession session, DeadFilter filter) throws SQLException {
        DeadSampleConditions conditions = DeadSampleConditions.of(filter, session.dialect());
        String lock = session.dialect().forUpdate.isEmpty() ? "" : "FOR UPDATE OF run_samples";
        PreparedStatement query = session.prepare(RunArchiveSql.REVIVABLE.formatted(conditions.where(), lock));
        conditions.bind(query);
        return all(query, row -> row.getLong(1));
    }

    @Override
    public boolean cancel(String run, Instant now) {
        return transactions.write(0, session -> {
            PreparedStatement cancel = session.prepare(RunArchiveSql.CANCEL);
            cancel.setLong(1, Micros.of(now));
            cancel.setLong(2, Micros.of(now));
            cancel.setString(3, run);
            return cancel.executeUpdate() > 0;
        });
    }

    @Override
    public boolean delete(String run, Instant now) {
        long deleted = transactions.write(0, session -> {
            long number = RunTables.numberOrNone(session, run);
            if (number > 0) {
                RunTables.recover(session, number, session.now(now));
                int workers = RunTables.find(session, run, now).orElseThrow().workers();
                if (workers > 0) {
                    throw new IllegalStateException("run '" + run + "' must not be deleted while " + workers
                            + " processes work on it; stop or cancel it first");
                }
                deleteAll(session, number);
            }
            return number;
        });
        if (deleted > 0) {
            files.deleteAll(deleted);
        }
        return deleted > 0;
    }

    private static void deleteAll(RunSession session, long number) throws SQLException {
        for (String statement : session.dialect().deleteSamples) {
            PreparedStatement delete = session.prepare(statement);
            bindSamples(delete, number);
            delete.executeUpdate();
        }
        for (String statement : RunArchiveSql.DELETE_BY_RUN) {
            PreparedStatement delete = session.prepare(statement);
            delete.setLong(1, number);
            delete.executeUpdate();
        }
    }

    private SampleRecord sample(ResultSet row) throws SQLException {
        return RunRows.sample(row, files, Duration.ZERO);
    }

    private DeadSample deadSample(ResultSet row) throws SQLException {
        SampleRecord sample = sample(row);
        return new DeadSample(
                row.getString("run_id"),
                row.getString("pipeline"),
                RunRows.stageAt(row.getString("stages"), sample.stage()),
                sample);
    }

    /** Reads one row. */
    private interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private static <T> List<T> all(PreparedStatement query, Row<T> reader) throws SQLException {
        List<T> all = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                all.add(reader.read(row));
            }
        }
        return all;
    }

    /** Prepares a statement on the samples between two keys. */
    private static PreparedStatement prepare(SqlSession session, String question) throws SQLException {
        return session.prepare(question.formatted(session.dialect().allSamples, session.dialect().sampleIsBetween));
    }

    /** Binds parameters 1 and 2: the key of one sample. */
    private static void bindSample(PreparedStatement query, long number, long ordinal) throws SQLException {
        query.setLong(1, RunRows.key(number, ordinal));
        query.setLong(2, RunRows.key(number, ordinal));
    }

    /** Binds parameters 1 and 2: the first and last key of a run's samples. */
    private static void bindSamples(PreparedStatement query, long number) throws SQLException {
        query.setLong(1, RunRows.key(number, 0));
        query.setLong(2, RunRows.key(number + 1, 0) - 1);
    }
}

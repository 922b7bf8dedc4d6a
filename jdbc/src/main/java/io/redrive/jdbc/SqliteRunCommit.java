package io.redrive.jdbc;

import io.redrive.items.Commit;
import io.redrive.items.SampleRecord;
import io.redrive.items.SampleState;
import io.redrive.items.StageAttempt;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes one commit: samples by kind, each kind as one batch; lines of the audit trail; counts; positions. */
final class SqliteRunCommit {

    private final SqliteSession session;
    private final long run;
    private final Commit commit;
    private final long token;

    private SqliteRunCommit(SqliteSession session, long run, Commit commit) {
        this.session = session;
        this.run = run;
        this.commit = commit;
        token = commit.lease().token();
    }

    /** {@code files} has the names of those payloads that are not to be in the database, by ordinal. */
    static void apply(SqliteSession session, long run, Commit commit, Map<Long, String> files, Instant now)
            throws SQLException {
        SqliteRunCommit write = new SqliteRunCommit(session, run, commit);
        write.samples(files);
        write.attempts();
        write.counts(now);
        write.positions();
    }

    private void samples(Map<Long, String> files) throws SQLException {
        PreparedStatement ended = session.prepare(SqliteRunSql.ENDED);
        PreparedStatement stored = session.prepare(SqliteRunSql.STORE);
        PreparedStatement changed = session.prepare(SqliteRunSql.CHANGE);
        int[] counts = new int[3];
        for (SampleRecord sample : commit.samples()) {
            if (sample.state() == SampleState.SUCCEEDED || sample.state() == SampleState.SKIPPED) {
                bindEnded(ended, sample);
                ended.addBatch();
                counts[0]++;
            } else if (sample.payloadKept()) {
                RunRows.bind(changed, run, sample, token);
                changed.addBatch();
                counts[1]++;
            } else {
                RunRows.bind(stored, run, sample, token);
                String file = files.get(sample.ordinal());
                stored.setString(16, file);
                stored.setBytes(17, file == null ? sample.payload() : null);
                stored.addBatch();
                counts[2]++;
            }
        }
        execute(ended, counts[0]);
        execute(changed, counts[1]);
        execute(stored, counts[2]);
    }

    private void bindEnded(PreparedStatement ended, SampleRecord sample) throws SQLException {
        ended.setLong(1, RunRows.key(run, sample.ordinal()));
        ended.setLong(2, run);
        ended.setInt(3, RunRows.code(sample.state()));
        ended.setInt(4, sample.stage());
        ended.setInt(5, sample.progress().sequence());
        ended.setString(6, sample.id());
    }

    private void attempts() throws SQLException {
        Map<List<String>, Long> stages = new HashMap<>();
        PreparedStatement record = session.prepare(SqliteRunSql.RECORD_ATTEMPT);
        String lastStage = null;
        long stage = 0;
        for (StageAttempt attempt : commit.attempts()) {
            // The same string each time: a look at it saves a look into the map.
            if (attempt.configHash() != lastStage) {
                stage = stageNumber(stages, attempt);
                lastStage = attempt.configHash();
            }
            record.setLong(1, RunRows.key(run, attempt.ordinal()));
            record.setInt(2, attempt.sequence());
            record.setLong(3, stage);
            record.setInt(4, attempt.attempt());
            record.setInt(5, RunRows.code(attempt.status()));
            record.setLong(6, Micros.of(attempt.at()));
            record.setLong(7, EventRows.nanos(attempt.duration()));
            record.setLong(8, EventRows.nanos(attempt.delay()));
            record.setString(9, attempt.errorType().isEmpty() ? null : attempt.errorType());
            record.setString(10, attempt.message().isEmpty() ? null : attempt.message());
            record.addBatch();
        }
        execute(record, commit.attempts().size());
    }

    private long stageNumber(Map<List<String>, Long> known, StageAttempt attempt) throws SQLException {
        List<String> key = List.of(attempt.stage(), attempt.configHash());
        Long number = known.get(key);
        if (number == null) {
            PreparedStatement add = session.prepare(SqliteRunSql.ADD_STAGE);
            add.setLong(1, run);
            add.setString(2, attempt.stage());
            add.setString(3, attempt.configHash());
            add.executeUpdate();
            PreparedStatement find = session.prepare(SqliteRunSql.STAGE_NUMBER);
            find.setLong(1, run);
            find.setString(2, attempt.stage());
            find.setString(3, attempt.configHash());
            try (ResultSet row = find.executeQuery()) {
                row.next();
                number = row.getLong(1);
            }
            known.put(key, number);
        }
        return number;
    }

    private void counts(Instant now) throws SQLException {
        long[] ends = new long[3];
        for (SampleRecord sample : commit.samples()) {
            switch (sample.state()) {
                case SUCCEEDED -> ends[0]++;
                case SKIPPED -> ends[1]++;
                case DEAD -> ends[2]++;
                case READY -> {}
            }
        }
        PreparedStatement count = session.prepare(SqliteRunSql.COUNT_SAMPLES);
        count.setLong(1, run);
        count.setLong(2, ends[0]);
        count.setLong(3, ends[1]);
        count.setLong(4, ends[2]);
        count.setLong(5, Micros.of(now));
        count.executeUpdate();
        PreparedStatement number = session.prepare(SqliteRunSql.COUNT_COMMIT);
        number.setLong(1, token);
        number.setLong(2, commit.number());
        number.executeUpdate();
    }

    private void positions() throws SQLException {
        if (commit.taken().isPresent()) {
            Commit.Taken taken = commit.taken().get();
            PreparedStatement statement = session.prepare(SqliteRunSql.TAKEN);
            statement.setLong(1, run);
            statement.setLong(2, taken.count());
            statement.setLong(3, taken.fingerprint());
            statement.setInt(4, taken.ended() ? 1 : 0);
            if (taken.size().isPresent()) {
                statement.setLong(5, taken.size().getAsLong());
            } else {
                statement.setNull(5, Types.BIGINT);
            }
            statement.executeUpdate();
        }
        if (commit.sink().isPresent()) {
            PreparedStatement statement = session.prepare(SqliteRunSql.SET_SINK_POSITION);
            statement.setLong(1, run);
            statement.setString(2, commit.sink().get().sink());
            statement.setString(3, commit.sink().get().position());
            statement.executeUpdate();
        }
    }

    private static void execute(PreparedStatement statement, int rows) throws SQLException {
        if (rows > 0) {
            statement.executeBatch();
        }
    }
}

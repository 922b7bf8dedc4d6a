package io.redrive.jdbc;

import io.redrive.items.SampleRecord;
import io.redrive.items.StageAttempt;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;

/** A transaction about runs in SQLite: rows are written one by one, as one batch of each statement. */
record SqliteRunSession(SqliteSession session) implements RunSession {

    private static final String ADD =
            "INSERT INTO run_samples (sample, run, state, stage, sequence, id) VALUES (?, ?, ?, ?, ?, ?)";

    private static final String END = """
            UPDATE run_samples SET
                state = ?, stage = ?, sequence = ?, token = NULL, claim = 0, payload = NULL, payload_file = NULL
            WHERE sample = ?
            """;

    private static final String STORE = """
            INSERT INTO run_samples (
                state, stage, sequence, token, failed, first_attempt_at, last_delay, due_at, reason, error_type, message,
                died_at, sample, run, id, payload_file, payload)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (sample) DO UPDATE SET
                state = excluded.state, stage = excluded.stage, sequence = excluded.sequence, token = excluded.token,
                claim = 0, failed = excluded.failed, first_attempt_at = excluded.first_attempt_at,
                last_delay = excluded.last_delay, due_at = excluded.due_at, reason = excluded.reason,
                error_type = excluded.error_type, message = excluded.message, died_at = excluded.died_at,
                payload_file = excluded.payload_file, payload = excluded.payload
            """;

    private static final String CHANGE = """
            UPDATE run_samples SET
                state = ?, stage = ?, sequence = ?, token = ?, failed = ?, first_attempt_at = ?, last_delay = ?,
                due_at = ?, reason = ?, error_type = ?, message = ?, died_at = ?, claim = 0
            WHERE sample = ?
            """;

    private static final String RECORD_ATTEMPT = """
            INSERT INTO run_attempts (sample, sequence, stage, attempt, status, at, duration, delay, error_type, message)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    @Override
    public PreparedStatement prepare(String sql) throws SQLException {
        return session.prepare(sql);
    }

    @Override
    public Dialect dialect() {
        return session.dialect();
    }

    @Override
    public long nextToken() throws SQLException {
        return session.nextToken();
    }

    @Override
    public Instant now(Instant callers) {
        return callers;
    }

    @Override
    public void write(RunWrites writes) throws SQLException {
        add(writes);
        end(writes);
        store(writes);
        change(writes);
        record(writes);
    }

    private void add(RunWrites writes) throws SQLException {
        PreparedStatement add = session.prepare(ADD);
        for (SampleRecord sample : writes.added()) {
            add.setLong(1, writes.key(sample));
            add.setLong(2, writes.run());
            add.setInt(3, RunRows.code(sample.state()));
            add.setInt(4, sample.stage());
            add.setInt(5, sample.progress().sequence());
            add.setString(6, sample.id());
            add.addBatch();
        }
        execute(add, writes.added().size());
    }

    private void end(RunWrites writes) throws SQLException {
        PreparedStatement end = session.prepare(END);
        for (SampleRecord sample : writes.ended()) {
            end.setInt(1, RunRows.code(sample.state()));
            end.setInt(2, sample.stage());
            end.setInt(3, sample.progress().sequence());
            end.setLong(4, writes.key(sample));
            end.addBatch();
        }
        execute(end, writes.ended().size());
    }

    private void store(RunWrites writes) throws SQLException {
        PreparedStatement stored = session.prepare(STORE);
        for (SampleRecord sample : writes.stored()) {
            RunRows.bind(stored, sample, writes);
            stored.setLong(13, writes.key(sample));
            stored.setLong(14, writes.run());
            stored.setString(15, sample.id());
            stored.setString(16, writes.files().get(sample.ordinal()));
            stored.setBytes(17, writes.payload(sample));
            stored.addBatch();
        }
        execute(stored, writes.stored().size());
    }

    private void change(RunWrites writes) throws SQLException {
        PreparedStatement changed = session.prepare(CHANGE);
        for (SampleRecord sample : writes.changed()) {
            RunRows.bind(changed, sample, writes);
            changed.setLong(13, writes.key(sample));
            changed.addBatch();
        }
        execute(changed, writes.changed().size());
    }

    private void record(RunWrites writes) throws SQLException {
        PreparedStatement record = session.prepare(RECORD_ATTEMPT);
        for (StageAttempt attempt : writes.attempts()) {
            record.setLong(1, RunRows.key(writes.run(), attempt.ordinal()));
            record.setInt(2, attempt.sequence());
            record.setLong(3, writes.stageOf(attempt));
            record.setInt(4, attempt.attempt());
            record.setInt(5, RunRows.code(attempt.status()));
            record.setLong(6, Micros.of(attempt.at()));
            record.setLong(7, EventRows.nanos(attempt.duration()));
            record.setLong(8, EventRows.nanos(attempt.delay()));
            record.setString(9, attempt.errorType().isEmpty() ? null : attempt.errorType());
            record.setString(10, attempt.message().isEmpty() ? null : attempt.message());
            record.addBatch();
        }
        execute(record, writes.attempts().size());
    }

    private static void execute(PreparedStatement statement, int rows) throws SQLException {
        if (rows > 0) {
            statement.executeBatch();
        }
    }
}

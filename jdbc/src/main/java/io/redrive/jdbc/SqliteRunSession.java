package io.redrive.jdbc;

import io.redrive.items.store.Commit.Change;
import io.redrive.items.store.SampleRecord;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;

/**
 * A transaction on runs in SQLite. Most samples end before they are ever written, and are written in blocks, see {@link
 * SampleJson}. Every other sample has a row.
 */
record SqliteRunSession(SqliteSession session) implements RunSession {

    private static final String PASS = "INSERT INTO run_passed (first, samples) VALUES (?, CAST(? AS TEXT))";

    private static final String END = """
        UPDATE run_samples SET
            state = ?1, stage = ?2, sequence = ?3, token = NULL, claim = 0, payload = NULL, payload_file = NULL,
            trail = coalesce(trail || coalesce(',' || ?4, ''), ?4)
        WHERE sample = ?5
        """;

    private static final String STORE = """
        INSERT INTO run_samples (
            state, stage, sequence, token, failed, first_attempt_at, last_delay, due_at, reason, error_type, message,
            died_at, crashed, begun, trail, sample, run, id, payload_file, payload)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (sample) DO UPDATE SET
            state = excluded.state, stage = excluded.stage, sequence = excluded.sequence, token = excluded.token,
            claim = 0, failed = excluded.failed, first_attempt_at = excluded.first_attempt_at,
            last_delay = excluded.last_delay, due_at = excluded.due_at, reason = excluded.reason,
            error_type = excluded.error_type, message = excluded.message, died_at = excluded.died_at,
            crashed = excluded.crashed, begun = excluded.begun,
            payload_file = excluded.payload_file, payload = excluded.payload,
            trail = coalesce(trail || coalesce(',' || excluded.trail, ''), excluded.trail)
        """;

    private static final String CHANGE = """
        UPDATE run_samples SET
            state = ?1, stage = ?2, sequence = ?3, token = ?4, failed = ?5, first_attempt_at = ?6, last_delay = ?7,
            due_at = ?8, reason = ?9, error_type = ?10, message = ?11, died_at = ?12, crashed = ?13,
            begun = ?14, claim = 0,
            trail = coalesce(trail || coalesce(',' || ?15, ''), ?15)
        WHERE sample = ?16
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
        SampleJson json = new SampleJson(new StageNumbers(this, writes.run()));
        pass(writes, json);
        end(writes, json);
        store(writes, json);
        change(writes, json);
    }

    private void pass(RunWrites writes, SampleJson json) throws SQLException {
        if (writes.added().isEmpty()) {
            return;
        }
        PreparedStatement pass = session.prepare(PASS);
        for (SampleJson.Block block : json.blocks(writes.run(), writes.added())) {
            pass.setLong(1, block.first());
            pass.setBytes(2, block.json());
            pass.executeUpdate();
        }
    }

    private void end(RunWrites writes, SampleJson json) throws SQLException {
        PreparedStatement end = session.prepare(END);
        for (Change change : writes.ended()) {
            SampleRecord sample = change.sample();
            end.setInt(1, RunRows.code(sample.state()));
            end.setInt(2, sample.stage());
            end.setInt(3, sample.progress().sequence());
            end.setString(4, json.trail(change.lines()));
            end.setLong(5, writes.key(sample));
            end.addBatch();
        }
        execute(end, writes.ended().size());
    }

    private void store(RunWrites writes, SampleJson json) throws SQLException {
        PreparedStatement stored = session.prepare(STORE);
        for (Change change : writes.stored()) {
            SampleRecord sample = change.sample();
            RunRows.bind(stored, sample, writes);
            stored.setString(15, json.trail(change.lines()));
            stored.setLong(16, writes.key(sample));
            stored.setLong(17, writes.run());
            stored.setString(18, sample.id());
            stored.setString(19, writes.files().get(sample.ordinal()));
            stored.setBytes(20, writes.payload(sample));
            stored.addBatch();
        }
        execute(stored, writes.stored().size());
    }

    private void change(RunWrites writes, SampleJson json) throws SQLException {
        PreparedStatement changed = session.prepare(CHANGE);
        for (Change change : writes.changed()) {
            SampleRecord sample = change.sample();
            RunRows.bind(changed, sample, writes);
            changed.setString(15, json.trail(change.lines()));
            changed.setLong(16, writes.key(sample));
            changed.addBatch();
        }
        execute(changed, writes.changed().size());
    }

    private static void execute(PreparedStatement statement, int rows) throws SQLException {
        if (rows > 0) {
            statement.executeBatch();
        }
    }
}

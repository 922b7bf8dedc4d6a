package io.redrive.jdbc;

import io.redrive.items.Commit.Change;
import io.redrive.items.SampleRecord;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** A transaction about runs in SQLite: rows are written one by one, as one batch of each statement. */
record SqliteRunSession(SqliteSession session) implements RunSession {

    /** Rows of one statement: to begin and to end one takes SQLite nearly as long as the row itself. */
    private static final int ROWS = 32;

    private static final String ROW = "(?, ?, ?, ?, ?, ?, ?)";
    private static final String ADD_ONE =
            "INSERT INTO run_samples (sample, run, state, stage, sequence, id, trail) VALUES " + ROW;
    private static final String ADD_ROWS = ADD_ONE + (", " + ROW).repeat(ROWS - 1);

    private static final String END = """
            UPDATE run_samples SET
                state = ?1, stage = ?2, sequence = ?3, token = NULL, claim = 0, payload = NULL, payload_file = NULL,
                trail = coalesce(trail || coalesce(',' || ?4, ''), ?4)
            WHERE sample = ?5
            """;

    private static final String STORE = """
            INSERT INTO run_samples (
                state, stage, sequence, token, failed, first_attempt_at, last_delay, due_at, reason, error_type, message,
                died_at, trail, sample, run, id, payload_file, payload)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (sample) DO UPDATE SET
                state = excluded.state, stage = excluded.stage, sequence = excluded.sequence, token = excluded.token,
                claim = 0, failed = excluded.failed, first_attempt_at = excluded.first_attempt_at,
                last_delay = excluded.last_delay, due_at = excluded.due_at, reason = excluded.reason,
                error_type = excluded.error_type, message = excluded.message, died_at = excluded.died_at,
                payload_file = excluded.payload_file, payload = excluded.payload,
                trail = coalesce(trail || coalesce(',' || excluded.trail, ''), excluded.trail)
            """;

    private static final String CHANGE = """
            UPDATE run_samples SET
                state = ?1, stage = ?2, sequence = ?3, token = ?4, failed = ?5, first_attempt_at = ?6, last_delay = ?7,
                due_at = ?8, reason = ?9, error_type = ?10, message = ?11, died_at = ?12, claim = 0,
                trail = coalesce(trail || coalesce(',' || ?13, ''), ?13)
            WHERE sample = ?14
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
        SqliteTrail trail = new SqliteTrail(writes.stages());
        add(writes, trail);
        end(writes, trail);
        store(writes, trail);
        change(writes, trail);
    }

    private void add(RunWrites writes, SqliteTrail trail) throws SQLException {
        List<Change> added = writes.added();
        for (int first = 0; first < added.size(); ) {
            int rows = added.size() - first < ROWS ? 1 : ROWS;
            PreparedStatement add = session.prepare(rows == 1 ? ADD_ONE : ADD_ROWS);
            int at = 0;
            for (Change change : added.subList(first, first + rows)) {
                SampleRecord sample = change.sample();
                add.setLong(++at, writes.key(sample));
                add.setLong(++at, writes.run());
                add.setInt(++at, RunRows.code(sample.state()));
                add.setInt(++at, sample.stage());
                add.setInt(++at, sample.progress().sequence());
                add.setString(++at, sample.id());
                add.setString(++at, trail.of(change.lines()));
            }
            add.executeUpdate();
            first += rows;
        }
    }

    private void end(RunWrites writes, SqliteTrail trail) throws SQLException {
        PreparedStatement end = session.prepare(END);
        for (Change change : writes.ended()) {
            SampleRecord sample = change.sample();
            end.setInt(1, RunRows.code(sample.state()));
            end.setInt(2, sample.stage());
            end.setInt(3, sample.progress().sequence());
            end.setString(4, trail.of(change.lines()));
            end.setLong(5, writes.key(sample));
            end.addBatch();
        }
        execute(end, writes.ended().size());
    }

    private void store(RunWrites writes, SqliteTrail trail) throws SQLException {
        PreparedStatement stored = session.prepare(STORE);
        for (Change change : writes.stored()) {
            SampleRecord sample = change.sample();
            RunRows.bind(stored, sample, writes);
            stored.setString(13, trail.of(change.lines()));
            stored.setLong(14, writes.key(sample));
            stored.setLong(15, writes.run());
            stored.setString(16, sample.id());
            stored.setString(17, writes.files().get(sample.ordinal()));
            stored.setBytes(18, writes.payload(sample));
            stored.addBatch();
        }
        execute(stored, writes.stored().size());
    }

    private void change(RunWrites writes, SqliteTrail trail) throws SQLException {
        PreparedStatement changed = session.prepare(CHANGE);
        for (Change change : writes.changed()) {
            SampleRecord sample = change.sample();
            RunRows.bind(changed, sample, writes);
            changed.setString(13, trail.of(change.lines()));
            changed.setLong(14, writes.key(sample));
            changed.addBatch();
        }
        execute(changed, writes.changed().size());
    }

    @Override
    public void deleteAttempts(long first, long last) {
        // They are in the rows of their samples.
    }

    private static void execute(PreparedStatement statement, int rows) throws SQLException {
        if (rows > 0) {
            statement.executeBatch();
        }
    }
}

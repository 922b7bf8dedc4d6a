package io.redrive.jdbc;

import io.redrive.items.store.Commit.Change;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleRecord.Death;
import io.redrive.items.store.StageAttempt;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A transaction on runs in PostgreSQL. Writes thousands of rows per statement, one parameter per column. */
record PostgresRunSession(PostgresSession session, PostgresClock clock) implements RunSession {

    /** The server keeps the input of a statement in its working memory. */
    private static final long MAX_STATEMENT_BYTES = 2L * 1024 * 1024;

    private static final String NOW =
            "SELECT coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)";

    private static final String NEXT_TOKEN = "SELECT nextval('redrive.tokens')";

    private static final String COPY_SAMPLES = """
        COPY redrive.run_samples (sample, run, state, stage, sequence, id, trail) FROM STDIN (FORMAT binary)
        """;

    private static final String END = """
        UPDATE redrive.run_samples AS kept SET
            state = rows.state, stage = rows.stage, sequence = rows.sequence, token = NULL, claim = 0,
            payload = NULL, payload_file = NULL
        FROM unnest(?, ?, ?, ?) AS rows (sample, state, stage, sequence)
        WHERE kept.sample = rows.sample
        """;

    private static final String STORE = """
        INSERT INTO redrive.run_samples (
            run, sample, state, stage, sequence, token, failed, first_attempt_at, last_delay, due_at, reason,
            error_type, message, died_at, crashed, begun, id, payload)
        SELECT ?, rows.* FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS rows
        ON CONFLICT (sample) DO UPDATE SET
            state = excluded.state, stage = excluded.stage, sequence = excluded.sequence, token = excluded.token,
            claim = 0, failed = excluded.failed, first_attempt_at = excluded.first_attempt_at,
            last_delay = excluded.last_delay, due_at = excluded.due_at, reason = excluded.reason,
            error_type = excluded.error_type, message = excluded.message, died_at = excluded.died_at,
            crashed = excluded.crashed, begun = excluded.begun, payload_file = NULL, payload = excluded.payload
        """;

    private static final String CHANGE = """
        UPDATE redrive.run_samples AS kept SET
            state = rows.state, stage = rows.stage, sequence = rows.sequence, token = rows.token,
            failed = rows.failed, first_attempt_at = rows.first_attempt_at, last_delay = rows.last_delay,
            due_at = rows.due_at, reason = rows.reason, error_type = rows.error_type, message = rows.message,
            died_at = rows.died_at, crashed = rows.crashed, begun = rows.begun, claim = 0
        FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS rows (
            sample, state, stage, sequence, token, failed, first_attempt_at, last_delay, due_at, reason, error_type,
            message, died_at, crashed, begun)
        WHERE kept.sample = rows.sample
        """;

    private static final String COPY_ATTEMPTS = """
        COPY redrive.run_attempts (
            sample, sequence, stage, attempt, status, at, duration, delay, error_type, message)
        FROM STDIN (FORMAT binary)
        """;

    private static final int BYTES_PER_ATTEMPT = 110;
    private static final int BYTES_PER_SAMPLE = 160;

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
        try (ResultSet row = session.prepare(NEXT_TOKEN).executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public Instant now(Instant callers) throws SQLException {
        PreparedStatement now = session.prepare(NOW);
        clock.bind(now, 1);
        try (ResultSet row = now.executeQuery()) {
            row.next();
            return Micros.toInstant(row.getLong(1));
        }
    }

    @Override
    public void write(RunWrites writes) throws SQLException {
        StageNumbers stages = new StageNumbers(this, writes.run());
        stages.numberAll(writes.all());
        add(writes, new SampleJson(stages));
        end(writes);
        for (List<SampleRecord> part : inParts(writes)) {
            store(writes, part);
        }
        change(writes);
        record(writes, stages);
    }

    private void add(RunWrites writes, SampleJson json) throws SQLException {
        if (writes.added().isEmpty()) {
            return;
        }
        PostgresCopy rows = new PostgresCopy(writes.added().size() * BYTES_PER_SAMPLE);
        for (Change change : writes.added()) {
            SampleRecord sample = change.sample();
            rows.row(7)
                    .bigint(writes.key(sample))
                    .bigint(writes.run())
                    .smallint(RunRows.code(sample.state()))
                    .smallint(sample.stage())
                    .integer(sample.progress().sequence())
                    .text(sample.id())
                    .text(json.trail(change.lines()));
        }
        session.copy(COPY_SAMPLES, rows.finished());
    }

    private void end(RunWrites writes) throws SQLException {
        List<SampleRecord> samples = RunWrites.samples(writes.ended());
        if (samples.isEmpty()) {
            return;
        }
        PreparedStatement end = session.prepare(END);
        end.setArray(1, session.bigints(samples, writes::key));
        end.setArray(2, session.integers(samples, sample -> RunRows.code(sample.state())));
        end.setArray(3, session.integers(samples, SampleRecord::stage));
        end.setArray(4, session.integers(samples, sample -> sample.progress().sequence()));
        end.executeUpdate();
    }

    private void store(RunWrites writes, List<SampleRecord> samples) throws SQLException {
        PreparedStatement stored = session.prepare(STORE);
        stored.setLong(1, writes.run());
        bind(stored, 2, samples, writes);
        stored.setArray(17, session.texts(samples, SampleRecord::id));
        stored.setArray(18, session.bytes(samples, sample -> sample.hasBytes() ? sample.bytes() : null));
        stored.executeUpdate();
    }

    private void change(RunWrites writes) throws SQLException {
        if (!writes.changed().isEmpty()) {
            PreparedStatement changed = session.prepare(CHANGE);
            bind(changed, 1, RunWrites.samples(writes.changed()), writes);
            changed.executeUpdate();
        }
    }

    /** Binds fifteen parameters. */
    private void bind(PreparedStatement statement, int first, List<SampleRecord> samples, RunWrites writes)
            throws SQLException {
        int at = first;
        statement.setArray(at++, session.bigints(samples, writes::key));
        statement.setArray(at++, session.integers(samples, sample -> RunRows.code(sample.state())));
        statement.setArray(at++, session.integers(samples, SampleRecord::stage));
        statement.setArray(
                at++, session.integers(samples, sample -> sample.progress().sequence()));
        statement.setArray(at++, session.bigints(samples, sample -> sample.claimed() ? writes.token() : null));
        statement.setArray(
                at++, session.integers(samples, sample -> sample.progress().failed()));
        statement.setArray(
                at++,
                session.bigints(
                        samples, sample -> RunRows.micros(sample.progress().firstAttempt())));
        statement.setArray(
                at++,
                session.bigints(
                        samples, sample -> EventRows.nanos(sample.progress().lastDelay())));
        statement.setArray(at++, session.bigints(samples, writes::due));
        statement.setArray(
                at++, session.texts(samples, ofDeath(death -> death.reason().code())));
        statement.setArray(at++, session.texts(samples, ofDeath(Death::errorType)));
        statement.setArray(at++, session.texts(samples, ofDeath(Death::message)));
        statement.setArray(at++, session.bigints(samples, ofDeath(death -> Micros.of(death.at()))));
        statement.setArray(
                at++, session.integers(samples, sample -> sample.progress().crashed()));
        statement.setArray(
                at, session.integers(samples, sample -> sample.progress().begun() ? 1 : 0));
    }

    private static <T> Function<SampleRecord, @Nullable T> ofDeath(Function<Death, T> column) {
        return sample -> sample.death() == null ? null : column.apply(sample.death());
    }

    /** Writes the audit trail of all samples except the added ones, whose rows contain their trail. */
    private void record(RunWrites writes, StageNumbers stages) throws SQLException {
        List<StageAttempt> attempts = new ArrayList<>();
        for (List<Change> changes : List.of(writes.ended(), writes.stored(), writes.changed())) {
            changes.forEach(change -> attempts.addAll(change.lines()));
        }
        if (attempts.isEmpty()) {
            return;
        }
        PostgresCopy rows = new PostgresCopy(attempts.size() * BYTES_PER_ATTEMPT);
        for (StageAttempt attempt : attempts) {
            rows.row(10)
                    .bigint(RunRows.key(writes.run(), attempt.ordinal()))
                    .integer(attempt.sequence())
                    .bigint(stages.of(attempt))
                    .integer(attempt.attempt())
                    .smallint(RunRows.code(attempt.status()))
                    .bigint(Micros.of(attempt.at()))
                    .bigint(EventRows.nanos(attempt.duration()))
                    .bigint(EventRows.nanos(attempt.delay()))
                    .text(emptyAsNull(attempt.errorType()))
                    .text(emptyAsNull(attempt.message()));
        }
        session.copy(COPY_ATTEMPTS, rows.finished());
    }

    private static @Nullable String emptyAsNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static List<List<SampleRecord>> inParts(RunWrites writes) {
        List<List<SampleRecord>> parts = new ArrayList<>();
        List<SampleRecord> part = new ArrayList<>();
        long bytes = 0;
        for (SampleRecord sample : RunWrites.samples(writes.stored())) {
            int size = sample.hasBytes() ? sample.bytes().length : 0;
            if (!part.isEmpty() && bytes + size > MAX_STATEMENT_BYTES) {
                parts.add(part);
                part = new ArrayList<>();
                bytes = 0;
            }
            part.add(sample);
            bytes += size;
        }
        if (!part.isEmpty()) {
            parts.add(part);
        }
        return parts;
    }
}

package io.redrive.jdbc;

import io.redrive.core.Reason;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.Percentiles;
import io.redrive.items.store.Price;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleRecord.Death;
import io.redrive.items.store.SampleRecord.Progress;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.StageCounts;
import io.redrive.items.store.StageSpending;
import io.redrive.items.store.Totals;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Converts rows to runs, samples and attempts, and back. States and statuses are small numbers in the tables, for
 * narrow rows.
 */
final class RunRows {

    private static final int ORDINAL_BITS = 40;
    private static final long MAX_ORDINAL = (1L << ORDINAL_BITS) - 1;
    private static final SampleState[] STATES = {
        SampleState.READY, SampleState.SUCCEEDED, SampleState.SKIPPED, SampleState.DEAD
    };
    private static final AttemptStatus[] STATUSES = {
        AttemptStatus.SUCCESS, AttemptStatus.RETRYING, AttemptStatus.FAILED, AttemptStatus.SKIPPED
    };

    private RunRows() {}

    /** The key of a sample: ascends by run, and within a run by ordinal. */
    static long key(long run, long ordinal) {
        if (ordinal < 0 || ordinal > MAX_ORDINAL) {
            throw new IllegalArgumentException(
                    "a run must have at most " + MAX_ORDINAL + " samples, got one at " + ordinal);
        }
        return run << ORDINAL_BITS | ordinal;
    }

    static long ordinal(long key) {
        return key & MAX_ORDINAL;
    }

    static long runOf(long key) {
        return key >>> ORDINAL_BITS;
    }

    static int code(SampleState state) {
        return switch (state) {
            case READY -> 0;
            case SUCCEEDED -> 1;
            case SKIPPED -> 2;
            case DEAD -> 3;
        };
    }

    static SampleState state(int code) {
        return STATES[code];
    }

    static int code(AttemptStatus status) {
        return switch (status) {
            case SUCCESS -> 0;
            case RETRYING -> 1;
            case FAILED -> 2;
            case SKIPPED -> 3;
        };
    }

    static AttemptStatus status(int code) {
        return STATUSES[code];
    }

    /** Returns the name of the stage at this index of a JSON array of names. */
    static String stageAt(String json, int index) {
        return index < 0 ? StageAttempt.SOURCE : StringListJson.read(json).get(index);
    }

    /** Reads the columns of {@link RunSql#RUN_COLUMNS}. */
    static RunRecord run(ResultSet row, int unclaimed, Instant now) throws SQLException {
        long size = row.getLong("source_size");
        OptionalLong sourceSize = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(size);
        Totals totals = new Totals(
                row.getLong("taken"),
                row.getLong("succeeded"),
                row.getLong("skipped"),
                row.getLong("dead"),
                row.getInt("source_ended") != 0,
                sourceSize);
        return new RunRecord(
                new RunDefinition(
                        row.getString("id"),
                        row.getString("pipeline"),
                        StringListJson.read(row.getString("stages")),
                        row.getString("origin")),
                RunStatus.of(row.getString("status")),
                totals,
                row.getLong("fingerprint"),
                Micros.toInstant(row.getLong("created_at")),
                Micros.toInstant(row.getLong("updated_at")),
                instant(row, "ended_at"),
                worked(row),
                row.getInt("crashes"),
                row.getInt("workers"),
                unclaimed,
                row.getLong("reader"),
                RunPauses.of(row.getString("pauses")).left(now));
    }

    /** The time worked on the run up to its last commit. */
    private static Duration worked(ResultSet row) throws SQLException {
        long micros = row.getLong("worked");
        long from = row.getLong("worked_from");
        long now = row.wasNull() ? 0 : Math.max(0, row.getLong("updated_at") - from);
        return Duration.of(micros + now, ChronoUnit.MICROS);
    }

    /** True when no worker has a valid lease. */
    static boolean isLeft(ResultSet row, Instant now) throws SQLException {
        Instant until = instant(row, "leased_until");
        return until == null || until.isBefore(now);
    }

    /**
     * Reads the columns of {@link RunSql#SAMPLE_COLUMNS}. A payload outside the row comes from {@code files}; the due
     * time is moved by {@code skew} to the caller's clock.
     */
    static SampleRecord sample(ResultSet row, PayloadFiles files, Duration skew) throws SQLException {
        SampleState state = state(row.getInt("state"));
        String file = row.getString("payload_file");
        byte[] payload = file == null ? row.getBytes("payload") : files.read(file);
        long due = row.getLong("due_at");
        Progress progress = new Progress(
                row.getInt("failed"),
                row.getInt("sequence"),
                instant(row, "first_attempt_at"),
                Duration.ofNanos(row.getLong("last_delay")),
                due == 0 ? null : Micros.toInstant(due).minus(skew),
                row.getInt("crashed"),
                false);
        Death death = state != SampleState.DEAD
                ? null
                : new Death(
                        Reason.of(row.getString("reason")),
                        row.getString("error_type"),
                        row.getString("message"),
                        Micros.toInstant(row.getLong("died_at")));
        return new SampleRecord(
                ordinal(row.getLong("sample")),
                row.getString("id"),
                state,
                row.getInt("stage"),
                progress,
                SampleRecord.Payload.of(payload),
                false,
                death);
    }

    /** Binds parameters 1 to 14 of the statements that store or change a sample. */
    static void bind(PreparedStatement statement, SampleRecord sample, RunWrites writes) throws SQLException {
        Progress progress = sample.progress();
        Death death = sample.death();
        statement.setInt(1, code(sample.state()));
        statement.setInt(2, sample.stage());
        statement.setInt(3, progress.sequence());
        setLong(statement, 4, sample.claimed() ? writes.token() : null);
        statement.setInt(5, progress.failed());
        setLong(statement, 6, micros(progress.firstAttempt()));
        statement.setLong(7, EventRows.nanos(progress.lastDelay()));
        statement.setLong(8, writes.due(sample));
        statement.setString(9, death == null ? null : death.reason().code());
        statement.setString(10, death == null ? null : death.errorType());
        statement.setString(11, death == null ? null : death.message());
        setLong(statement, 12, death == null ? null : micros(death.at()));
        statement.setInt(13, progress.crashed());
        statement.setInt(14, progress.begun() ? 1 : 0);
    }

    /** Microseconds of a time; null for null. */
    static @Nullable Long micros(@Nullable Instant instant) {
        return instant == null ? null : (Long) Micros.of(instant);
    }

    /** Reads the columns of {@link RunArchiveSql#ATTEMPTS}. */
    static StageAttempt attempt(ResultSet row, long ordinal) throws SQLException {
        return new StageAttempt(
                ordinal,
                row.getInt("sequence"),
                row.getString("stage"),
                row.getString("hash"),
                row.getInt("attempt"),
                status(row.getInt("status")),
                row.getString("error_type"),
                row.getString("message"),
                Duration.ofNanos(row.getLong("delay")),
                Duration.ofNanos(row.getLong("duration")),
                Micros.toInstant(row.getLong("at")));
    }

    /** Reads stage, error type, message and attempts; {@code dead} has the dead samples by stage and error type. */
    static ErrorCount error(ResultSet row, Map<List<String>, Long> dead) throws SQLException {
        String type = row.getString(2) == null ? "" : row.getString(2);
        String message = row.getString(3);
        return new ErrorCount(
                row.getString(1),
                type,
                message == null ? "" : message,
                row.getLong(4),
                dead.getOrDefault(List.of(row.getString(1), type), 0L));
    }

    /** Reads stage, successes, retries, failures, skips, time, three percentiles. */
    static StageCounts stage(ResultSet row) throws SQLException {
        return new StageCounts(
                row.getString(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                Duration.ofNanos(row.getLong(6)),
                new Percentiles(
                        Duration.ofNanos(row.getLong(7)),
                        Duration.ofNanos(row.getLong(8)),
                        Duration.ofNanos(row.getLong(9))));
    }

    /** Reads stage, unit, price, reported and estimated cost. */
    static StageSpending spending(ResultSet row) throws SQLException {
        Optional<Price> price =
                Optional.of(row.getString(3)).filter(text -> !text.isEmpty()).map(Price::parse);
        return new StageSpending(row.getString(1), row.getString(2), price, row.getLong(4), row.getLong(5));
    }

    /** Sorts by the order of the run's stages; the source comes first. */
    static List<StageCounts> inOrder(Map<String, StageCounts> counts, Optional<RunDefinition> definition) {
        List<String> order = new ArrayList<>(List.of(StageAttempt.SOURCE));
        definition.ifPresent(run -> order.addAll(run.stages()));
        return order.stream().filter(counts::containsKey).map(counts::get).toList();
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.toInstant(micros);
    }

    private static void setLong(PreparedStatement statement, int index, @Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(index, Types.BIGINT);
        } else {
            statement.setLong(index, value);
        }
    }
}

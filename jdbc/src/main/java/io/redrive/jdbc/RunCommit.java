package io.redrive.jdbc;

import io.redrive.items.Commit;
import io.redrive.items.StageAttempt;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Writes one commit: samples, lines of the audit trail, positions, and last the counts, which all processes share. */
final class RunCommit {

    private final RunSession session;
    private final long run;
    private final Commit commit;

    private RunCommit(RunSession session, long run, Commit commit) {
        this.session = session;
        this.run = run;
        this.commit = commit;
    }

    /** {@code files} has the names of those payloads that are not to be in the database, by ordinal. */
    static void apply(RunSession session, long run, Commit commit, Map<Long, String> files, Instant now)
            throws SQLException {
        RunCommit write = new RunCommit(session, run, commit);
        Duration skew = Duration.between(now, session.now(now));
        RunWrites.Place place = new RunWrites.Place(run, commit.lease().token(), skew, write.takenBefore());
        session.write(RunWrites.of(place, commit.changes(), files, write.stages()));
        write.sink();
        write.number();
        write.taken();
        write.pauses(skew, now);
        write.counts(now);
    }

    private long takenBefore() throws SQLException {
        PreparedStatement taken = session.prepare(RunSql.TAKEN_BEFORE);
        taken.setLong(1, run);
        try (ResultSet row = taken.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Stages of attempts by number, so that each line of the trail is narrow. */
    private Map<RunWrites.Stage, Long> stages() throws SQLException {
        Set<RunWrites.Stage> stages = new HashSet<>();
        for (Commit.Change change : commit.changes()) {
            for (StageAttempt line : change.lines()) {
                stages.add(RunWrites.Stage.of(line));
            }
        }
        Map<RunWrites.Stage, Long> numbers = new HashMap<>();
        // In the same order everywhere: two processes that add them wait for each other, and never in a circle.
        for (RunWrites.Stage stage : new TreeSet<>(stages)) {
            numbers.put(stage, stageNumber(stage));
        }
        return numbers;
    }

    private long stageNumber(RunWrites.Stage stage) throws SQLException {
        long known = bindStage(session.prepare(RunSql.STAGE_NUMBER), stage);
        if (known > 0) {
            return known;
        }
        PreparedStatement add = session.prepare(RunSql.ADD_STAGE);
        add.setLong(1, run);
        add.setString(2, stage.name());
        add.setString(3, stage.hash());
        add.executeUpdate();
        return bindStage(session.prepare(RunSql.STAGE_NUMBER), stage);
    }

    private long bindStage(PreparedStatement find, RunWrites.Stage stage) throws SQLException {
        find.setLong(1, run);
        find.setString(2, stage.name());
        find.setString(3, stage.hash());
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private void sink() throws SQLException {
        if (commit.sink().isPresent()) {
            PreparedStatement statement = session.prepare(RunSql.SET_SINK_POSITION);
            statement.setLong(1, run);
            statement.setString(2, commit.sink().get().sink());
            statement.setString(3, commit.sink().get().position());
            statement.executeUpdate();
        }
    }

    private void number() throws SQLException {
        PreparedStatement statement = session.prepare(RunSql.COUNT_COMMIT);
        statement.setLong(1, commit.number());
        statement.setLong(2, commit.lease().token());
        statement.executeUpdate();
    }

    private void taken() throws SQLException {
        if (commit.taken().isPresent()) {
            Commit.Taken taken = commit.taken().get();
            PreparedStatement statement = session.prepare(RunSql.TAKEN);
            statement.setLong(1, taken.count());
            statement.setLong(2, taken.fingerprint());
            statement.setInt(3, taken.ended() ? 1 : 0);
            if (taken.size().isPresent()) {
                statement.setLong(4, taken.size().getAsLong());
            } else {
                statement.setNull(4, Types.BIGINT);
            }
            statement.setLong(5, run);
            statement.executeUpdate();
        }
    }

    private void pauses(Duration skew, Instant now) throws SQLException {
        if (commit.pauses().isEmpty()) {
            return;
        }
        PreparedStatement find = session.prepare(RunSql.PAUSES + session.dialect().forUpdate);
        find.setLong(1, run);
        String before;
        try (ResultSet row = find.executeQuery()) {
            row.next();
            before = row.getString(1);
        }
        PreparedStatement set = session.prepare(RunSql.SET_PAUSES);
        set.setString(1, RunPauses.of(before).with(commit.pauses(), skew, now).json());
        set.setLong(2, run);
        set.executeUpdate();
    }

    private void counts(Instant now) throws SQLException {
        long succeeded = 0;
        long skipped = 0;
        long dead = 0;
        for (Commit.Change change : commit.changes()) {
            switch (change.sample().state()) {
                case SUCCEEDED -> succeeded++;
                case SKIPPED -> skipped++;
                case DEAD -> dead++;
                case READY -> {}
            }
        }
        PreparedStatement count = session.prepare(RunSql.COUNT_SAMPLES);
        count.setLong(1, succeeded);
        count.setLong(2, skipped);
        count.setLong(3, dead);
        count.setLong(4, Micros.of(now));
        count.setLong(5, run);
        count.executeUpdate();
    }
}

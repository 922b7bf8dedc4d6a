package io.redrive.jdbc;

import io.redrive.items.store.Commit;
import io.redrive.items.store.Price;
import io.redrive.items.store.StageSpending;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Writes one commit: samples, lines of the audit trail, positions of sinks, costs, and last the counts, shared by all
 * processes.
 */
final class RunCommit {

    private final RunSession session;
    private final long run;
    private final Commit commit;

    private RunCommit(RunSession session, long run, Commit commit) {
        this.session = session;
        this.run = run;
        this.commit = commit;
    }

    /** Writes the commit. {@code files} has the names of payload files by ordinal. */
    static void apply(RunSession session, long run, Commit commit, Map<Long, String> files, Instant now)
            throws SQLException {
        RunCommit write = new RunCommit(session, run, commit);
        Duration skew = Duration.between(now, session.now(now));
        RunWrites.Committer committer =
                new RunWrites.Committer(run, commit.lease().token(), skew, write.takenBefore());
        RunWrites writes = RunWrites.of(committer, commit.changes(), files);
        session.write(writes);
        write.sink();
        write.number();
        write.costs();
        write.taken();
        write.pauses(skew, now);
        write.counts(writes.ends(), now);
    }

    private long takenBefore() throws SQLException {
        PreparedStatement taken = session.prepare(RunSql.TAKEN_BEFORE);
        taken.setLong(1, run);
        try (ResultSet row = taken.executeQuery()) {
            row.next();
            return row.getLong(1);
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

    /** Adds costs. All processes use the same order, before the run's row, so that no deadlock is possible. */
    private void costs() throws SQLException {
        List<StageSpending> ordered = commit.spending().stream()
                .sorted(Comparator.comparing(StageSpending::stage))
                .toList();
        for (StageSpending cost : ordered) {
            PreparedStatement add = session.prepare(RunSql.ADD_COST);
            add.setLong(1, run);
            add.setString(2, cost.stage());
            add.setString(3, cost.unit());
            add.setString(4, cost.price().map(Price::toString).orElse(""));
            add.setLong(5, cost.reported());
            add.setLong(6, cost.estimated());
            add.executeUpdate();
        }
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

    private void counts(RunWrites.Ends ends, Instant now) throws SQLException {
        PreparedStatement count = session.prepare(RunSql.COUNT_SAMPLES);
        count.setLong(1, ends.succeeded());
        count.setLong(2, ends.skipped());
        count.setLong(3, ends.dead());
        count.setLong(4, Micros.of(now));
        count.setLong(5, run);
        count.executeUpdate();
    }
}

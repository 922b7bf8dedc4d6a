package io.redrive.jdbc;

import io.redrive.items.store.Commit.Change;
import io.redrive.items.store.StageAttempt;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The numbers of stages in the audit trail. A line names its stage, with the hash of the stage's configuration, by
 * number, which keeps lines narrow. Stages are few, so each line searches a list.
 */
final class StageNumbers {

    private static final Comparator<StageAttempt> BY_STAGE =
            Comparator.comparing(StageAttempt::stage).thenComparing(StageAttempt::configHash);

    private final SqlSession session;
    private final long run;
    private final List<Stage> known = new ArrayList<>();

    private record Stage(String name, String hash, long number) {
        boolean isOf(StageAttempt line) {
            return name.equals(line.stage()) && hash.equals(line.configHash());
        }
    }

    StageNumbers(SqlSession session, long run) {
        this.session = session;
        this.run = run;
    }

    /**
     * Gives a number to the stage of each new line, before any sample is written. All processes use the same order, so
     * that no deadlock is possible.
     */
    void numberAll(List<Change> changes) throws SQLException {
        List<StageAttempt> oneOfEach = new ArrayList<>();
        for (Change change : changes) {
            for (StageAttempt line : change.lines()) {
                if (!hasSameStage(oneOfEach, line)) {
                    oneOfEach.add(line);
                }
            }
        }
        oneOfEach.sort(BY_STAGE);
        for (StageAttempt line : oneOfEach) {
            of(line);
        }
    }

    private static boolean hasSameStage(List<StageAttempt> lines, StageAttempt line) {
        for (int i = 0; i < lines.size(); i++) {
            if (BY_STAGE.compare(lines.get(i), line) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of a line's stage, and adds a stage without a number. */
    long of(StageAttempt line) throws SQLException {
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).isOf(line)) {
                return known.get(i).number;
            }
        }
        Stage stage = new Stage(line.stage(), line.configHash(), number(line));
        known.add(stage);
        return stage.number;
    }

    private long number(StageAttempt line) throws SQLException {
        long number = find(line);
        if (number > 0) {
            return number;
        }
        PreparedStatement add = session.prepare(RunSql.ADD_STAGE);
        bind(add, line);
        add.executeUpdate();
        return find(line);
    }

    /** Returns 0 for a stage without a number. */
    private long find(StageAttempt line) throws SQLException {
        PreparedStatement find = session.prepare(RunSql.STAGE_NUMBER);
        bind(find, line);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private void bind(PreparedStatement statement, StageAttempt line) throws SQLException {
        statement.setLong(1, run);
        statement.setString(2, line.stage());
        statement.setString(3, line.configHash());
    }
}

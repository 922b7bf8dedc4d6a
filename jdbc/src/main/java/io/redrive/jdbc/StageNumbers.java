package io.redrive.jdbc;

import io.redrive.items.StageAttempt;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The stages, as they were, of the lines that a commit adds to the audit trail. Lines name them by number, and so are
 * narrow. They are few, and looked through for every line.
 */
final class StageNumbers {

    private static final Comparator<Stage> ORDER =
            Comparator.comparing(Stage::name).thenComparing(Stage::hash);

    private final List<Stage> stages = new ArrayList<>();
    private long[] numbers = {};

    private record Stage(String name, String hash) {}

    void add(StageAttempt line) {
        if (indexOf(line) < 0) {
            stages.add(new Stage(line.stage(), line.configHash()));
        }
    }

    /** Finds their numbers, or gives them some. */
    void number(SqlSession session, long run) throws SQLException {
        // In the same order everywhere: two processes that add stages wait for each other, and never in a circle.
        stages.sort(ORDER);
        numbers = new long[stages.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(session, run, stages.get(i));
        }
    }

    long of(StageAttempt line) {
        return numbers[indexOf(line)];
    }

    private int indexOf(StageAttempt line) {
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            if (stage.name.equals(line.stage()) && stage.hash.equals(line.configHash())) {
                return i;
            }
        }
        return -1;
    }

    private static long number(SqlSession session, long run, Stage stage) throws SQLException {
        long known = find(session, run, stage);
        if (known > 0) {
            return known;
        }
        PreparedStatement add = session.prepare(RunSql.ADD_STAGE);
        bind(add, run, stage);
        add.executeUpdate();
        return find(session, run, stage);
    }

    /** 0 when there is none. */
    private static long find(SqlSession session, long run, Stage stage) throws SQLException {
        PreparedStatement find = session.prepare(RunSql.STAGE_NUMBER);
        bind(find, run, stage);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static void bind(PreparedStatement statement, long run, Stage stage) throws SQLException {
        statement.setLong(1, run);
        statement.setString(2, stage.name);
        statement.setString(3, stage.hash);
    }
}
